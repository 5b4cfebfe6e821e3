"""Objects of the program for which an object of whygrad's stands: on TensorFlow, its tensors and variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

finders: list[Callable[[Any], Any]] = []  # each returns what stands for a value, or the value itself


def resolved(value: Any) -> Any:
    """The whygrad object that stands for one of the program's values; any other value as it is."""
    for find in finders:
        value = find(value)
    return value
