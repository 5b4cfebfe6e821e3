"""Errors of TensorFlow's ops, explained by making the same mistake on whygrad: its error holds what was wrong."""

from __future__ import annotations

import contextlib
import functools
import operator
import os
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any

from whygrad.on_tensorflow.shadows import seen, structure
from whygrad.runtime.call_sites import entered_in, is_ours
from whygrad.why.cause import Cause
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.failed_op import users_frame

_MOST_WRAPPERS = 6
_FOLDER = os.path.dirname(__file__)

# By the names that TensorFlow's operators have among its ops.
_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "matmul": operator.matmul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}


def causes_of_failure(error: BaseException, tf: Any) -> list[Cause]:
    """The causes of an exception that TensorFlow raised; `tf` is whygrad's public namespace."""
    place = users_frame(error.__traceback__)
    call = None if place is None else _failed_call_of(error, place, tf)
    if place is None or call is None:
        return []
    try:
        call()
    except Exception as ours:
        return causes_of(ours.with_traceback(_spliced(error.__traceback__, place, ours.__traceback__)))
    return []  # TensorFlow refuses what whygrad accepts


def _failed_call_of(error: BaseException | None, place: TracebackType, tf: Any) -> Callable[[], Any] | None:
    """The call that failed at a place, also if Keras has put an error with more words and without TensorFlow's frames around the first one."""
    while error is not None:
        here = users_frame(error.__traceback__)  # none if the first error was caught inside of Keras
        if here is not None and here.tb_frame is not place.tb_frame:
            return None
        call = _failed_call(here or error.__traceback__, tf)
        if call is not None:
            return call
        error = error.__context__
    return None


def _failed_call(place: TracebackType | None, tf: Any) -> Callable[[], Any] | None:
    """The TensorFlow call that the user's line made, as a call of whygrad."""
    inner = None if place is None else place.tb_next
    while inner is not None:
        found = _function(inner.tb_frame, tf)
        if found is not None:
            return found
        inner = inner.tb_next
    return None


def _function(frame: FrameType, tf: Any) -> Callable[[], Any] | None:
    values = frame.f_locals
    # The locals of TensorFlow's wrapper around each public function, which filters tracebacks.
    if {"fn", "args", "kwargs"} <= {*values}:
        ours = public_function(values["fn"], tf) or _operator(values["fn"])
        return (
            None if ours is None else functools.partial(ours, *structure(values["args"]), **structure(values["kwargs"]))
        )
    code: CodeType = frame.f_code
    names = code.co_varnames[: code.co_argcount]
    if names[:1] == ("self",) and seen(values.get("self")) is not values.get("self"):
        method = getattr(seen(values["self"]), code.co_name, None)
        return None if method is None else functools.partial(method, *[structure(values[name]) for name in names[1:]])
    ours = public_function(frame.f_globals.get(code.co_name), tf)
    given = {name: structure(values[name]) for name in names if name in values}
    return None if ours is None else functools.partial(ours, **given)


def public_function(function: Any, tf: Any) -> Callable[..., Any] | None:
    """The whygrad function with the public name of a TensorFlow function, which has several wrappers around it."""
    layer = [function]
    for _ in range(_MOST_WRAPPERS):
        for each in layer:
            for path in getattr(each, "_tf_api_names", None) or ():
                with contextlib.suppress(AttributeError):
                    return operator.attrgetter(path)(tf)  # type: ignore[no-any-return]
        inner = [
            value for each in layer for value in (*_closed_over(each).values(), getattr(each, "__wrapped__", None))
        ]
        layer = [each for each in inner if isinstance(each, FunctionType)]
    return None


def _closed_over(function: Any) -> dict[str, Any]:
    """The values that a function closes over, by name."""
    names = getattr(getattr(function, "__code__", None), "co_freevars", ())
    found = {}
    for name, cell in zip(names, getattr(function, "__closure__", None) or ()):
        with contextlib.suppress(ValueError):  # a cell that is still empty
            found[name] = cell.cell_contents
    return found


def _operator(function: Any) -> Callable[..., Any] | None:
    """Python's operator that a method of TensorFlow's tensors implements."""
    found = _OPERATORS.get(_closed_over(function).get("op_name", ""))
    # The reflected operator gets its operands in the other order.
    if found is not None and function.__name__.startswith("r_"):
        return lambda y, x: found(x, y)
    return found


def as_if_called(error: Exception, caller: FrameType) -> Exception:
    """A whygrad error with the traceback that it would have if the user's frame had called whygrad itself."""
    ours = error.__traceback__
    while ours is not None and ours.tb_frame.f_code.co_filename.startswith(_FOLDER):
        ours = ours.tb_next
    return error.with_traceback(TracebackType(ours, caller, caller.f_lasti, caller.f_lineno))


def is_same_failure(again: Exception, error: Exception) -> bool:
    """Whether a function fails op by op as it did compiled: with the same class of error, or at the line that TensorFlow's message names."""
    if type(again) is type(error) or (isinstance(again, LookupError) and isinstance(error, LookupError)):
        return True
    place = users_frame(again.__traceback__)
    return place is not None and f"line {place.tb_lineno}, in {place.tb_frame.f_code.co_name}" in str(error)


def is_same_failure_of_library(again: Exception, error: Exception) -> bool:
    """The same for a step of Keras's, whose failure may leave a model half built: it must fail at the program's same line.

    Where that line only calls Keras, an error that Keras itself raises must say the same as well.
    """
    places = users_frame(again.__traceback__), users_frame(error.__traceback__)
    if places[0] is None and not _is_of_op(error):
        return type(again) is type(error) and str(again) == str(error)
    if places[0] is None or places[1] is None:
        return type(again) is type(error)
    return places[0].tb_lineno == places[1].tb_lineno and places[0].tb_frame.f_code is places[1].tb_frame.f_code


def _is_of_op(error: Exception) -> bool:
    return type(error).__module__.startswith("tensorflow.")


def _spliced(theirs: TracebackType | None, place: TracebackType, ours: TracebackType | None) -> TracebackType | None:
    """The user's frames of one traceback and those of layers in it, followed by those that whygrad's own functions have in the other."""
    while ours is not None and ours.tb_frame.f_code.co_filename.startswith(_FOLDER):
        ours = ours.tb_next
    frames, is_inside = [], False
    while theirs is not None:
        frame = theirs.tb_frame
        if theirs is place or entered_in(frame) is not None or not (is_inside or is_ours(frame.f_code.co_filename)):
            frames.append(theirs)
        is_inside = is_inside or theirs is place
        theirs = theirs.tb_next
    for each in reversed(frames):
        ours = TracebackType(ours, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return ours
