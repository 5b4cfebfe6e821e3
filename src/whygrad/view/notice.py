"""When causes are reported, and how: warnings at the caller's line, findings of a trace, notes on exceptions."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import html
import logging
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import Any, Self

from whygrad._public import export
from whygrad.compile.trace_listeners import BecameNan, ChangedValue, NewTrace, RepeatedCall, RunsAsPython
from whygrad.ops.scopes import get_logger
from whygrad.runtime.call_sites import ARRAY_LIBRARIES, first_of_expression, frame_at, is_ours, users_frame, users_site
from whygrad.runtime.warning_lines import formatter_of, is_shown_on_stderr
from whygrad.tape.gradient_calls import FailedCall, GradientCall
from whygrad.values import variable
from whygrad.values.errors import Explained
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, answers_numpy
from whygrad.values.variable import Variable
from whygrad.view.cells import Look, is_ascii, is_terminal, look_of, wrapped
from whygrad.view.notebook_cells import cell_name
from whygrad.view.terminal import render
from whygrad.view.tracebacks import chain_of
from whygrad.why import diagnosis
from whygrad.why.cause import Cause
from whygrad.why.causes import numpy_conversion, ranking, result_not_finite, unexplained, weights_frozen
from whygrad.why.causes.exceptions import causes_of, explain_failure
from whygrad.why.diagnosis import diagnose
from whygrad.why.evidence.reported import Reported
from whygrad.why.evidence.trace import Trace, current
from whygrad.why.source.sites import Site


class CauseWarning(UserWarning):
    """A warning whose message is a cause, drawn for a terminal where Python shows it there."""

    def __init__(self, message: str, causes: tuple[Cause, ...] = ()) -> None:
        super().__init__(message)
        self.causes = causes
        self._drawn: Callable[[Look], str] | None = None

    def drawn_by(self, draw: Callable[[Look], str]) -> Self:
        """Let `draw` give the text for a stream of some look."""
        self._drawn = draw
        return self

    def _repr_html_(self) -> str:
        from whygrad.view.notebook import causes_as_html

        return causes_as_html(self.causes) or f"<pre>{html.escape(str(self))}</pre>"

    def __format__(self, spec: str) -> str:
        shown = formatter_of(self, frame_at(1))
        if shown is None or self._drawn is None:
            return super().__format__(spec)
        if any(
            (cell_name(site.file) or site.file) == shown.filename and site.line == shown.lineno and site.text
            for site in self.causes[0].sites
        ):
            shown.line = ""  # it is in the message
        if not is_shown_on_stderr(shown):
            return str(self)
        try:
            return self._drawn(look_of(sys.stderr))
        except Exception:
            return str(self)


@export("GradientWarning")
class GradientWarning(CauseWarning):
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


@export("NoGradientWarning")
class NoGradientWarning(GradientWarning):
    """A gradient is None."""


@export("EmptyGradientWarning")
class EmptyGradientWarning(GradientWarning):
    """`gradient` was called without any sources."""


@export("BroadcastWarning")
class BroadcastWarning(GradientWarning):
    """A broadcast repeated both operands."""


@export("FunctionWarning")
class FunctionWarning(CauseWarning):
    """A function that was compiled does not do what its Python says, or cannot be compiled and runs as Python.

    `causes` says why. The base of the two below.
    """


@export("RetracingWarning")
class RetracingWarning(FunctionWarning):
    """A function is traced and compiled again and again."""


@export("SideEffectWarning")
class SideEffectWarning(FunctionWarning):
    """Python put a tensor somewhere while a function was traced: that happens once, and the tensor has no value."""


_reported = Reported()  # by warnings, once per place as long as the filters stay as they are
_filters: tuple[Any, tuple[Any, ...]] = (None, ())  # the list of them, and what it held, at the last warning


def suppress_errors(explaining: Callable[..., None]) -> Callable[..., None]:
    """Explaining may fail, for instance on unusual source code; the program goes on as if nothing had been asked."""

    @functools.wraps(explaining)
    def guarded(*args: Any) -> None:
        try:
            explaining(*args)
        except Warning:  # an error by the user's filter, and intended
            raise
        except Exception:
            if diagnosis.strict:
                raise

    return guarded


class _Muted(threading.local):
    depth = 0


_muted = _Muted()


@contextlib.contextmanager
def muted() -> Iterator[None]:
    """Report nothing inside the block: `tape.why` gives the reason itself."""
    _muted.depth += 1
    try:
        yield
    finally:
        _muted.depth -= 1


@suppress_errors
def notice(call: GradientCall) -> None:
    """Report the causes of what a call of `gradient` gave."""
    if _muted.depth:
        return
    trace = current()
    if trace is not None:
        trace.asked(call)
        trace.at_end = _ended
        # The trace of the program has not seen what a function that failed while it was traced computed; the call has its ops.
        witness = trace if call.traced is None else None
        found = diagnose(call, witness, trace.reported)
        for cause in (*diagnosis.diagnose_updates(trace), *found):
            trace.found(cause)
        trace.steps.saw(call, trace, found)
        if trace.warns and not _is_ignored():
            for cause in found:
                if cause.symptom in _CATEGORIES and (cause.symptom != "wrong_value" or cause.kind in _WARNED_OF):
                    _warn(cause)
    elif not _is_ignored():
        try:
            for cause in diagnose(call, None, _reported_to_the_filters()):
                _warn(cause)
        except Warning:  # an error by the user's filter, which is raised each time
            _reported.clear()
            raise


@suppress_errors
def _ended(trace: Trace) -> None:
    """Report mistakes that show only at the end: after the last call of `gradient`, or in the program as a whole."""
    for cause in (
        *diagnosis.diagnose_updates(trace, is_end=True),
        *diagnosis.diagnose_end(trace),
        *trace.confirmed(),
        *diagnosis.attempt(result_not_finite.explain, trace),
    ):
        trace.found(cause)


@suppress_errors
def nothing_trained(variables: Sequence[Variable], place: tuple[CodeType, int]) -> None:
    """Report a library's training of a model none of whose variables is trainable."""
    trace = current()
    if trace is None and _is_ignored():
        return
    reported = _reported_to_the_filters() if trace is None else trace.reported
    if reported.add((*place, _UNTRAINED)):
        for cause in diagnosis.attempt(weights_frozen.of_model, variables, place):
            if trace is not None:
                trace.found(cause)
            if trace is None or trace.warns:
                _warn(cause)


def _reported_to_the_filters() -> Reported:
    """What was reported under the present filters: new ones, as in a `catch_warnings` block, get everything, as from Python itself."""
    global _filters
    if warnings.filters is not _filters[0] or tuple(warnings.filters) != _filters[1]:
        _filters = (warnings.filters, tuple(warnings.filters))
        _reported.clear()
    return _reported


def _is_ignored() -> bool:
    """Whether the filters ignore all our warnings: then nothing is explained, and a loop costs nothing."""
    for action, message, category, module, line in warnings.filters:
        if issubclass(GradientWarning, category):
            return action == "ignore" and message is None and module is None and not line
        if category in _CATEGORIES.values():
            return False
    return False


_CATEGORIES = {
    "none": NoGradientWarning,
    "empty": EmptyGradientWarning,
    "wrong_value": BroadcastWarning,
    "nonfinite": GradientWarning,
    "zero": GradientWarning,
}


_WARNED_OF = [kind for entry in ranking.BROADCAST for kind in entry.kinds]  # among wrong values, also without a trace


def _warn(cause: Cause) -> None:
    asked = cause.sites[-1]
    category = _CATEGORIES[cause.symptom]
    _warn_at(asked, cause, category, _how_to_see_more() if category is GradientWarning else "")


def _warn_at(place: Site, cause: Cause, category: type[CauseWarning], more: str = "") -> None:
    def drawn(look: Look) -> str:
        text = render(cause, width=look.width, colour=look.colour, ascii=look.ascii, here=place.file)
        if is_terminal(sys.stderr):
            text = "\n" + text  # Python's own words before it would push the first line over the edge
        return "\n".join([text, *(wrapped(more, look.width, "  more: ", "        ") if more else ())])

    text = _shown(cause, place.file)
    message = category(f"{text}\n  more: {more}" if more else text, (cause,)).drawn_by(drawn)
    warnings.warn_explicit(message, category, cell_name(place.file) or place.file, place.line)


def _how_to_see_more() -> str:
    """How to get the full reason of a number that a plain run only looks at."""
    program = sys.modules.get("__main__")
    script, module = getattr(program, "__file__", None), getattr(program, "__spec__", None)
    run = os.path.basename(script) if script else "SCRIPT.py"
    if module is not None:  # python -m package
        run = f"-m {module.name.removesuffix('.__main__')}"
    command = "`pytest --why`" if run in ("pytest", "-m pytest") else f"`whygrad run {run}`"
    package = sys.modules[__name__.partition(".")[0]]
    names = getattr(program, "__dict__", {}).items()
    imported = next((name for name, value in names if value is package), "whygrad" if answers_numpy() else "tf")
    return f"{command}, `with {imported}.tracing():`, or WHYGRAD=trace in the environment, sees every value"


@suppress_errors
def traced(new: NewTrace) -> None:
    """Report tensors that a trace of a function left behind, and a function that is traced too often."""
    code = getattr(getattr(new.function, "__func__", new.function), "__code__", None)
    if code is None:
        return
    trace = current()
    reported = _reported_to_the_filters() if trace is None else trace.reported
    if (code, -1, -1) not in reported:
        for cause in diagnosis.all_of(ranking.SIDE_EFFECT, new.name, new.function, new.arguments):
            reported.add((code, -1, -1))
            _warn_of_function(cause, SideEffectWarning)
    # TensorFlow has only the logger: a program that silences it there has silenced this warning.
    if new.is_too_often and get_logger().isEnabledFor(logging.WARNING) and (code, -2, -1) not in reported:
        for cause in diagnosis.all_of(
            ranking.RETRACED, new.name, new.function, new.kinds, new.made_each_call, users_site()
        ):
            reported.add((code, -2, -1))
            _warn_of_function(cause, RetracingWarning)


@suppress_errors
def python_value_changed(changed: ChangedValue) -> None:
    """Enter a changed Python value as a finding of the trace that records this thread: TensorFlow would not see the change."""
    trace = current()
    if trace is not None and trace in state.recorders:
        for cause in diagnosis.all_of(ranking.CHANGED_VALUE, changed):
            trace.found(cause)


@suppress_errors
def became_nan(became: BecameNan) -> None:
    """Warn of a variable that a compiled function made nan: no tape of the program shows the numbers inside."""
    if not _is_ignored():
        for cause in diagnosis.attempt(unexplained.became_nan, became, users_site()):
            _warn(cause)


@suppress_errors
def called_again(call: RepeatedCall) -> None:
    """Enter what Python did only while a function was traced as findings of the trace that records this thread."""
    trace = current()
    if trace is not None and trace in state.recorders:
        for cause in diagnosis.all_of(ranking.RAN_ONCE, call):
            trace.found(cause)


@suppress_errors
def left_silently(tensor: Tensor) -> None:
    """Warn, once for each place, of a watched tensor that leaves the tape where NumPy's functions should stay on it."""
    frame: Any = frame_at(4)  # below it are this function, its guard, the hook, and the method that was called
    while frame is not None and frame.f_code.co_filename.startswith((*ARRAY_LIBRARIES, variable.__file__)):
        frame = frame.f_back
    if frame is None or is_ours(frame.f_code.co_filename) or _is_ignored():
        return
    place = (frame.f_code, frame.f_lasti)
    reported = _reported_to_the_filters()
    if not reported.add((*place, _LEFT)):
        return
    line = numpy_conversion.line_of_exit(*place)
    # Python 3.11 calls a C function by one of two instructions, as often as it has called it before.
    known = (first_of_expression(*place), _LEFT_HERE) if line is None else (line, _LEFT_INTO)
    if reported.add((frame.f_code, *known)):
        for cause in diagnosis.attempt(numpy_conversion.left_under_dispatch, tensor, place):
            _warn_at(cause.sites[0], cause, GradientWarning)


_LEFT, _UNTRAINED, _LEFT_HERE, _LEFT_INTO = -5, -6, -7, -8  # in place of the number of a source


def runs_as_python(function: RunsAsPython) -> None:
    """Warn that each call of a function runs its Python, at the line that cannot be compiled."""
    said = f"`{function.name}` runs as Python at each call, because it cannot be compiled"
    causes = [] if function.error is None else causes_when_read(function.error)  # type: ignore[arg-type]
    if causes:
        cause = dataclasses.replace(causes[0], sentence=f"{said}: {causes[0].sentence}")
        _warn_at(cause.sites[0], cause, FunctionWarning)
        return
    frame = users_frame(frame_at(1))
    text = f"{said}. {function.reason}"
    file = frame.f_code.co_filename
    warnings.warn_explicit(FunctionWarning(text), FunctionWarning, cell_name(file) or file, frame.f_lineno)


def _warn_of_function(cause: Cause, category: type[FunctionWarning]) -> None:
    """Enter what is wrong with a function as a finding of the trace that is running; without one, warn of it."""
    trace = current()
    if trace is not None:
        trace.found(cause)
    if trace is None or trace.warns:
        _warn_at(cause.sites[0], cause, category)


@suppress_errors
def failed(call: FailedCall, error: Exception) -> None:
    """Give an exception that leaves `gradient` its causes."""
    trace = current()
    if trace is not None:
        trace.counted(call.tape)
    # The code that raised it may have set its causes.
    cause = None if error.__dict__.get("causes") else explain_failure(call, error)
    if cause is not None:
        error.causes = [cause]  # type: ignore[attr-defined]
        if not isinstance(error, Explained):  # which shows its causes itself
            error.add_note(note_of(error, cause))


@suppress_errors
def explain_errors_of_libraries(error: BaseException) -> None:
    """Give an exception of a library that runs on whygrad, and those that are shown with it, their causes as notes."""
    for each in chain_of(error):
        if not isinstance(each, Explained) and "causes" not in each.__dict__:
            each.causes = causes_of(each)  # type: ignore[attr-defined]
            for cause in each.causes:  # type: ignore[attr-defined]
                each.add_note(note_of(each, cause))


def note_of(error: BaseException, cause: Cause) -> str:
    """A cause as a note under an exception: without its sentence where the exception says the same."""
    message = str(error).split("\n")[0]
    repeats = bool(message) and cause.sentence.startswith(message)
    return _shown(dataclasses.replace(cause, sentence="") if repeats else cause).lstrip("\n")


def _shown(cause: Cause, here: str | None = None) -> str:
    """A cause as text for a traceback or a warning: in ASCII where stderr takes nothing else."""
    return render(cause, ascii=is_ascii(getattr(sys.stderr, "encoding", None) or "utf-8"), here=here)


def causes_when_read(error: Explained) -> list[Cause]:
    """The causes of an error of an op: worked out when they are first read, from the traceback it has by then."""
    known: list[Cause] | None = error.__dict__.get("causes")
    if known is None:
        known = []
        try:
            known = causes_of(error)
        except Exception:
            if diagnosis.strict:
                raise
        error.__dict__["causes"] = known
    return known


def notes_when_shown(error: Explained) -> list[str]:
    """The notes that a traceback shows under the error; ours are made when it is printed, not when it is raised."""
    notes: list[str] = error.__dict__.setdefault("__notes__", [])
    if error.__traceback__ is not None and not error.__dict__.get("_notes_added"):
        error.__dict__["_notes_added"] = True
        notes += [note_of(error, cause) for cause in causes_when_read(error)]
    return notes
