"""Reference counts: whether anything else can see an object, so that its memory may be written to.

An update of a variable writes to the old value's memory where no tensor, view, record or user holds it: an update of some rows of a
large table then costs those rows alone, and no new pages are touched. The counts that mean this are measured at import, since they
differ between versions of Python.

They are -1, which no count equals, where a count says nothing: without the interpreter lock, where another thread may take a
reference meanwhile; in a Python without counts; for arguments from Python 3.14 on, where a call may pass a variable without a reference
of its own; and with WHYGRAD_FAST=0. Then every update makes a new array.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from whygrad.runtime.switches import switches

# The number of references to an object, the argument's own included; callers compare it with the numbers below.
count: Callable[[Any], int] = getattr(sys, "getrefcount", lambda value: 0)


class _Holder:
    __slots__ = ("attribute",)

    def __init__(self, attribute: object) -> None:
        self.attribute = attribute


def measure() -> tuple[int, int]:
    """What `count(holder.attribute)` gives if nothing else refers to the value, and what `count(argument)` gives in a function
    if only the caller's expression refers to the argument; -1 where that cannot be known."""
    has_counts = hasattr(sys, "getrefcount") and getattr(sys, "_is_gil_enabled", lambda: True)()
    if not has_counts or not switches.fast:
        return -1, -1
    holder = _Holder(object())

    def count_argument(argument: object) -> int:
        return count(argument)

    held = object()
    temporary = count_argument(object())
    return count(holder.attribute), temporary if temporary < count_argument(held) else -1


ATTRIBUTE_ALONE, TEMPORARY_ARGUMENT = measure()
