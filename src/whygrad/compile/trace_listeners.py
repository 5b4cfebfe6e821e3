"""Who is told of functions that were traced: in a module of its own, as functions are loaded by programs that have some."""

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
