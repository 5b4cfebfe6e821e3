"""Partial cotangents, which touch only part of their input: the rules of slices and lookups return them.

The sweep scatters them into the running sum, so that a loop over the n elements of a vector costs O(n), and the gradient of
a lookup costs only the rows touched.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Array = Any


class Slot(NamedTuple):
    """`values` belong at `x[index]`; `index` is a basic index (ints, slices, None, Ellipsis)."""

    values: Array
    index: Any

    @property
    def shape(self) -> None:
        """None, which no array's shape is: this tells the sweep that it is not an array."""


class Rows(NamedTuple):
    """Row `values[i]` belongs at `x[indices[i]]`; indices may repeat."""

    values: Array
    indices: Array

    @property
    def shape(self) -> None:
        """None, which no array's shape is: this tells the sweep that it is not an array."""
