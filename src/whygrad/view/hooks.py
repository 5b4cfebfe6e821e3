"""The hooks through which tapes and errors request explanations. The explaining code is loaded on first use: most programs never do."""

from __future__ import annotations

import sys
from types import ModuleType, TracebackType
from typing import Any

from whygrad.compile import trace_listeners
from whygrad.compile.trace_listeners import BecameNan, ChangedValue, NewTrace, RepeatedCall, RunsAsPython
from whygrad.runtime.call_sites import objects_in_scopes
from whygrad.tape import gradient_tape
from whygrad.tape.gradient_calls import FailedCall, GradientCall, failure_listeners, listeners
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values.errors import Explained
from whygrad.values.recorders import silent_exit_listeners
from whygrad.values.tensor import Tensor


def _explaining() -> ModuleType | None:
    """The explaining module; None if it cannot be loaded, as at the end of the stack or during interpreter exit."""
    try:
        from whygrad.view import notice
    except Exception:
        return None
    return notice


def _notice(call: GradientCall) -> None:
    explaining = _explaining()
    if explaining is not None:
        explaining.notice(call)


def _failed(call: FailedCall, error: Exception) -> None:
    explaining = _explaining()
    if explaining is not None:
        explaining.failed(call, error)


def _traced(new: NewTrace) -> None:
    explaining = _explaining()
    if explaining is not None:
        explaining.traced(new)


def _python_value_changed(changed: ChangedValue) -> None:
    explaining = _explaining()
    if explaining is not None:
        explaining.python_value_changed(changed)


def _runs_as_python(function: RunsAsPython) -> None:
    explaining = _explaining()
    if explaining is not None:
        explaining.runs_as_python(function)


def _called_again(call: RepeatedCall) -> None:
    explaining = _explaining()
    if explaining is not None:
        explaining.called_again(call)


def _became_nan(became: BecameNan) -> None:
    explaining = _explaining()
    if explaining is not None:
        explaining.became_nan(became)


def _left_silently(tensor: Tensor) -> None:
    explaining = _explaining()
    if explaining is not None:
        explaining.left_silently(tensor)


def _explain_gradient(tape: GradientTape, target: Any, source: Any) -> Any:
    from whygrad.view.ask import of_tape

    return of_tape(tape, target, source)


def _causes(error: Explained) -> Any:
    explaining = _explaining()
    return error.__dict__.get("causes", []) if explaining is None else explaining.causes_when_read(error)


def _set_causes(error: Explained, causes: list[Any]) -> None:
    error.__dict__["causes"] = causes


def _notes(error: Explained) -> Any:
    explaining = _explaining()
    return error.__dict__.setdefault("__notes__", []) if explaining is None else explaining.notes_when_shown(error)


def _set_notes(error: Explained, notes: list[str]) -> None:
    error.__dict__.update(__notes__=notes, _notes_added=True)  # code that sets notes, even to none, has seen ours


def _print_exception(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Print an uncaught exception as Python does, without whygrad's own frames where the error says what was wrong."""
    try:
        from whygrad.view.tracebacks import shortened

        explaining = _explaining() if objects_in_scopes else None
        if explaining is not None:
            explaining.explain_errors_of_libraries(error)
        traceback = shortened(error, traceback)
    except Exception:  # what is printed then is longer, and still right
        pass
    sys.__excepthook__(kind, error, traceback)


if sys.excepthook is sys.__excepthook__:  # otherwise the program or a shell prints exceptions in its own way
    sys.excepthook = _print_exception
listeners.append(_notice)
failure_listeners.append(_failed)
gradient_tape.explain_gradient = _explain_gradient
trace_listeners.listeners.append(_traced)
trace_listeners.changed_value_listeners.append(_python_value_changed)
trace_listeners.repeated_call_listeners.append(_called_again)
trace_listeners.became_nan_listeners.append(_became_nan)
silent_exit_listeners.append(_left_silently)
trace_listeners.runs_as_python_listeners.append(_runs_as_python)
Explained.causes = property(_causes, _set_causes)  # type: ignore[attr-defined]
Explained.__notes__ = property(_notes, _set_notes)  # type: ignore[assignment]
