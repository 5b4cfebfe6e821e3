"""When it is said: a warning at the caller's line for a None or an empty list, findings for whoever traces."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from whygrad._public import export
from whygrad.compile.trace_listeners import ChangedValue, NewTrace
from whygrad.runtime.call_sites import users_site
from whygrad.tape.gradient_tape import FailedCall, GradientCall
from whygrad.values.errors import Explained
from whygrad.values.recorders import state
from whygrad.view.cells import is_ascii
from whygrad.view.terminal import render
from whygrad.why.cause import Cause, with_imported_name
from whygrad.why.causes import (
    empty_sources,
    function_baked_python_value,
    leaked_tensor,
    none,
    nonfinite,
    python_callback,
    retracing,
    silent,
    tape_keeps_growing,
    variable_made_anew,
    zero,
)
from whygrad.why.causes.exceptions import causes_of, explain_failure
from whygrad.why.causes.silent_broadcast import broadcasts
from whygrad.why.evidence.history import History
from whygrad.why.evidence.reported import Said
from whygrad.why.evidence.trace import Trace, current
from whygrad.why.source.sites import Site


@export("GradientWarning")
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


@export("NoGradientWarning")
class NoGradientWarning(GradientWarning):
    """A gradient is None."""


@export("EmptyGradientWarning")
class EmptyGradientWarning(GradientWarning):
    """Gradients were asked for no sources at all."""


@export("BroadcastWarning")
class BroadcastWarning(GradientWarning):
    """A broadcast repeated both operands."""


@export("FunctionWarning")
class FunctionWarning(UserWarning):
    """A function that was compiled does not do what its Python says. `causes` says why; the base of the two below."""

    def __init__(self, message: str, causes: tuple[Cause, ...] = ()) -> None:
        super().__init__(message)
        self.causes = causes


@export("RetracingWarning")
class RetracingWarning(FunctionWarning):
    """A function is traced and compiled again and again."""


@export("SideEffectWarning")
class SideEffectWarning(FunctionWarning):
    """Python put a tensor somewhere while a function was traced: that happens once, and the tensor has no value."""


_said = Said()  # once per place, as long as the filters stay as they are
_filters: tuple[Any, tuple[Any, ...]] = (None, ())  # the list of them, and what it held, when something was last said


def never_in_the_way(explaining: Callable[..., None]) -> Callable[..., None]:
    """Explaining may fail, on sources that nobody thought of; the program goes on as if nothing had been asked."""

    @functools.wraps(explaining)
    def guarded(*args: Any) -> None:
        try:
            explaining(*args)
        except Warning:  # turned into an error by the user's filter: that is meant
            raise
        except Exception:
            if strict:
                raise

    return guarded


strict = False  # tests set this: there, an explanation that fails is a failure


class _Muted(threading.local):
    depth = 0


_muted = _Muted()


@contextlib.contextmanager
def muted() -> Iterator[None]:
    """Say nothing of what happens inside: who asks for the reason needs no warning."""
    _muted.depth += 1
    try:
        yield
    finally:
        _muted.depth -= 1


@never_in_the_way
def notice(call: GradientCall) -> None:
    """Look at the outcome of a call of `gradient`."""
    if _muted.depth:
        return
    trace = current()
    if trace is not None:
        trace.asked(call)
        for cause in _causes(call, trace):
            trace.found(cause)
    elif not _is_ignored():
        try:
            for cause in _causes(call, None):
                _warn(cause)
        except Warning:  # an error, by the user's filter: it is raised each time
            _said.clear()
            raise


def _causes(call: GradientCall, trace: Trace | None) -> list[Cause]:
    if not call.sources:
        if call.filled is not None:
            return []  # as for None: who asks for zeros counts on it
        return attempt(empty_sources.explain, call, trace) if _first_time(call, -1) else []
    found: list[Cause] = []
    for position, gradient in enumerate(call.gradients):
        if gradient is None and _first_time(call, position):
            dropped = trace is not None and none.is_dropped(call)
            if dropped and trace is not None and trace.was_given(call.sources[position]):
                continue  # the variables of several tasks or phases, and the program counts on those that have no part
            for cause in attempt(none.explain, call, position, trace):
                if dropped and trace is not None:
                    trace.stands_until_given(cause, call.sources[position])
                if all((cause.kind, _place(cause)) != (other.kind, _place(other)) for other in found):
                    found.append(cause)
    if trace is None:
        if call.broadcasts and _first_time(call, -2):
            found += attempt(broadcasts, call, History(call.tape.records, ()))
        return found
    found += (
        attempt(nonfinite.explain, call, trace)
        or attempt(python_callback.explain, call, trace)
        or attempt(zero.explain, call, trace)
    )
    found += attempt(tape_keeps_growing.explain, call, trace)
    found += attempt(variable_made_anew.explain, call, trace)
    if _first_time(call, -2):
        found += attempt(silent.explain, call, trace)
    trace.numerics.end_call()
    return found


def attempt(explanation: Callable[..., Any], *args: Any) -> list[Cause]:
    """What an explanation finds: one cause, several or none. One that fails does not take the others with it."""
    try:
        found = explanation(*args)
        causes = [] if found is None else [found] if isinstance(found, Cause) else list(found)
        return [with_imported_name(cause) for cause in causes]
    except Exception:
        if strict:
            raise
        return []


def _place(cause: Cause) -> tuple[str, int] | None:
    site: Site | None = cause.site
    return None if site is None else (site.file, site.line)


def _first_time(call: GradientCall, position: int) -> bool:
    """Whether this was not said yet of this place: by a warning, or to whoever traces."""
    trace = current()
    said = _said_to_the_filters() if trace is None else trace.said
    place = (call.code, call.instruction, position)
    if place in said:
        return False
    said.add(place)
    return True


def _said_to_the_filters() -> Said:
    """What the filters of now were told: new ones, as in a `catch_warnings` block, are told everything, as by Python itself."""
    global _filters
    if warnings.filters is not _filters[0] or tuple(warnings.filters) != _filters[1]:
        _filters = (warnings.filters, tuple(warnings.filters))
        _said.clear()
    return _said


def _is_ignored() -> bool:
    """Whether the filters ignore all our warnings: then there is nothing to explain, and a loop pays nothing for it."""
    for action, message, category, module, line in warnings.filters:
        if issubclass(GradientWarning, category):
            return action == "ignore" and message is None and module is None and not line
        if category in _CATEGORIES.values():
            return False
    return False


_CATEGORIES = {"none": NoGradientWarning, "empty": EmptyGradientWarning, "wrong_value": BroadcastWarning}


def _warn(cause: Cause) -> None:
    asked = cause.sites[-1]
    category = _CATEGORIES[cause.symptom]
    warnings.warn_explicit(category(_shown(cause, asked.file), (cause,)), category, asked.file, asked.line)


@never_in_the_way
def traced(new: NewTrace) -> None:
    """Look at a trace of a function: at what it left behind, and at how many there were of late."""
    code = getattr(getattr(new.function, "__func__", new.function), "__code__", None)
    if code is None:
        return
    said = _said_to_the_filters()
    if (code, -1, -1) not in said:
        for cause in attempt(leaked_tensor.left_behind, new.name, new.function, new.arguments):
            said.add((code, -1, -1))
            _warn_of_function(cause, SideEffectWarning)
    if (new.kinds or new.anew) and (code, -2, -1) not in said:
        for cause in attempt(retracing.explain, new.name, new.function, new.kinds, new.anew, users_site()):
            said.add((code, -2, -1))
            _warn_of_function(cause, RetracingWarning)


@never_in_the_way
def python_value_changed(changed: ChangedValue) -> None:
    """Enter a changed Python value as a finding of the trace that records this thread: TensorFlow would not see the change."""
    trace = current()
    if trace is not None and trace in state.recorders:
        for cause in attempt(function_baked_python_value.explain, changed):
            trace.found(cause)


def _warn_of_function(cause: Cause, category: type[FunctionWarning]) -> None:
    place = cause.sites[0]
    warnings.warn_explicit(category(_shown(cause, place.file), (cause,)), category, place.file, place.line)


@never_in_the_way
def failed(call: FailedCall, error: Exception) -> None:
    """Give an exception that leaves `gradient` its causes."""
    trace = current()
    if trace is not None:
        trace.counted(call.tape)
    cause = None if error.__dict__.get("causes") else explain_failure(call, error)  # who raised it may know
    if cause is not None:
        error.causes = [cause]  # type: ignore[attr-defined]
        if not isinstance(error, Explained):  # which shows its causes by itself
            error.add_note(note_of(error, cause))


def note_of(error: BaseException, cause: Cause) -> str:
    """A cause as a note under an exception: without its sentence where the exception has just said the same."""
    said = str(error).split("\n")[0]
    repeats = bool(said) and cause.sentence.startswith(said)
    return _shown(dataclasses.replace(cause, sentence="") if repeats else cause).lstrip("\n")


def _shown(cause: Cause, here: str | None = None) -> str:
    """A cause as Python will show it in a traceback or a warning: where stderr is known to take only ASCII, in ASCII."""
    return render(cause, ascii=is_ascii(getattr(sys.stderr, "encoding", None) or "utf-8"), here=here)


def causes_when_asked(error: Explained) -> list[Cause]:
    """The causes of an error of an op: worked out when somebody asks, from the traceback it has by then."""
    known: list[Cause] | None = error.__dict__.get("causes")
    if known is None:
        known = []
        try:
            known = causes_of(error)
        except Exception:
            if strict:
                raise
        error.__dict__["causes"] = known
    return known


def notes_when_shown(error: Explained) -> list[str]:
    """The notes that a traceback shows under the error; ours are made when it is printed, not when it is raised."""
    notes: list[str] = error.__dict__.setdefault("__notes__", [])
    if error.__traceback__ is not None and not error.__dict__.get("_noted"):
        error.__dict__["_noted"] = True
        notes += [note_of(error, cause) for cause in causes_when_asked(error)]
    return notes
