"""Listeners to traces of functions, in a module of their own: `compile/function.py` is loaded only by programs that use it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class NewTrace(NamedTuple):
    """A function was traced just now."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]  # what it was called with, by parameter
    kinds: list[
        dict[str, Any]
    ]  # what the last traces were for, where there were many of late; see `signature.describe`
    anew: bool  # the last functions that were made of the same Python were called once each


listeners: list[Callable[[NewTrace], None]] = []


class ChangedValue(NamedTuple):
    """A Python value that a function reads is not what it was when the function was first called with such arguments."""

    name: str
    first: Any
    now: Any
    place: tuple[str, int, int, int]  # file, line, column and end column of the read


changed_value_listeners: list[Callable[[ChangedValue], None]] = []
