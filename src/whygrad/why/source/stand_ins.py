"""Objects of the program for which an object of whygrad's stands: on TensorFlow, its tensors and variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whygrad.values.variable import Variable

finders: list[Callable[[Any], Any]] = []  # each returns what stands for a value, or the value itself


def resolved(value: Any) -> Any:
    """The whygrad object that stands for one of the program's values; any other value as it is."""
    for find in finders:
        value = find(value)
    return value


def variable_in(value: Any) -> Variable | None:
    """The variable that one of the program's values is, or holds, as a library's variable does; None for anything else."""
    found = resolved(value)
    held = found if isinstance(found, Variable) else getattr(found, "_value", None)
    return held if isinstance(held, Variable) else None
