"""When it is said: a warning at the caller's line for a None or an empty list, findings for whoever traces."""

from __future__ import annotations

import warnings
from types import CodeType

from whygrad.tape.gradient_tape import GradientCall, listeners
from whygrad.why import empty, none, nonfinite, zero
from whygrad.why.cause import Cause
from whygrad.why.source import Site
from whygrad.why.trace import Trace, current


class GradientWarning(UserWarning):
    """A gradient is probably not what was meant. `causes` says why; the base of the other warnings here.

    >>> import warnings, whygrad as tf
    >>> x = tf.constant(1.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     g = tape.gradient(y, x)
    >>> issubclass(caught[0].category, tf.GradientWarning), caught[0].message.causes[0].kind
    (True, 'source-not-watched')
    """

    def __init__(self, message: str, causes: tuple[Cause, ...] = ()) -> None:
        super().__init__(message)
        self.causes = causes


class NoGradientWarning(GradientWarning):
    """A gradient is None."""


class EmptyGradientWarning(GradientWarning):
    """Gradients were asked for no sources at all."""


_said: set[tuple[CodeType, int, int]] = set()  # once per place: the call, and which source


def notice(call: GradientCall) -> None:
    """Look at the outcome of a call of `gradient`."""
    trace = current()
    if trace is not None:
        trace.asked(call)
    for symptom_kind, cause in _causes(call, trace):
        if trace is not None:
            trace.found(cause)
        else:
            _warn(cause, EmptyGradientWarning if symptom_kind == "empty" else NoGradientWarning)


def _causes(call: GradientCall, trace: Trace | None) -> list[tuple[str, Cause]]:
    found: list[tuple[str, Cause]] = []
    if not call.sources:
        if _first_time(call, -1):
            found.append(("empty", empty.explain(call)))
        return found
    for position, gradient in enumerate(call.gradients):
        if gradient is None and _first_time(call, position):
            cause = none.explain(call, position, trace)
            if all((cause.kind, _place(cause)) != (other.kind, _place(other)) for _, other in found):
                found.append(("none", cause))
    if trace is not None:
        numbers = nonfinite.explain(call, trace) or zero.explain(call, trace)
        if numbers is not None:
            found.append(("numbers", numbers))
        trace.numerics.begin_sweep()
        trace.numerics.end_step()
    return found


def _place(cause: Cause) -> tuple[str, int] | None:
    site: Site | None = cause.site
    return None if site is None else (site.file, site.line)


def _first_time(call: GradientCall, position: int) -> bool:
    place = (call.code, call.instruction, position)
    if place in _said:
        return False
    _said.add(place)
    return True


def _warn(cause: Cause, category: type[GradientWarning]) -> None:
    asked = cause.sites[-1]
    from whygrad.view.terminal import render

    message = category(render(cause), (cause,))
    warnings.warn_explicit(message, category, asked.file, asked.line)


listeners.append(notice)
