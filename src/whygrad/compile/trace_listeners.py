"""Listeners for traces of functions: a separate module, so that listening does not load the compiler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whygrad.runtime.data import Data
from whygrad.values.variable import Variable

RECENT_CALLS = 10  # number of recent calls to remember;
TRACES_TOO_MANY = 5  # a warning follows if this many of them traced: TensorFlow's numbers


class NewTrace(Data):
    """A function was just traced."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]  # the arguments of the call, by parameter
    kinds: list[dict[str, Any]]  # the keys of the recent traces, if there were many; see `signature.describe`
    made_each_call: bool  # whether the recent functions made from the same Python were called once each

    @property
    def is_too_often(self) -> bool:
        """Whether a warning is due: the function was traced often, or its program makes it anew for each call."""
        return bool(self.kinds) or self.made_each_call


listeners: list[Callable[[NewTrace], None]] = []


class ChangedValue(Data):
    """A Python value that a function reads is not what it was when the function was first called with such arguments."""

    name: str
    first: Any
    now: Any
    place: tuple[str, int, int, int]  # file, line, column and end column of the read


changed_value_listeners: list[Callable[[ChangedValue], None]] = []


class RunsAsPython(Data):
    """A function cannot be traced once for all calls with such arguments: each call runs its Python."""

    name: str
    reason: str
    error: Exception | None  # of the trace, if that failed


runs_as_python_listeners: list[Callable[[RunsAsPython], None]] = []


class RepeatedCall(Data):
    """A function is called again with arguments that it was traced for: its Python does not run."""

    name: str
    function: Callable[..., Any]
    args: tuple[Any, ...]


repeated_call_listeners: list[Callable[[RepeatedCall], None]] = []


class BecameNan(Data):
    """A compiled function assigned nan to a trainable variable, or to a metric's, that was finite; or its loss is nan."""

    name: str
    calls: int  # of the function, up to this one
    last_look: int  # the last call after which the variable was looked at, and was finite; 0 before the first
    variable: Variable | None  # None for a number that a function returns which trains variables


became_nan_listeners: list[Callable[[BecameNan], None]] = []
