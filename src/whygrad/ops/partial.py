"""Cotangents that touch only part of their input, as rules of slices and lookups return them.

The sweep scatters them into the running sum, so that a loop over the n elements of a vector costs O(n), and the gradient of
a lookup costs the rows touched.
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
        """None, which no array has: so the sweep sees that this is none."""


class Rows(NamedTuple):
    """Row `values[i]` belongs at `x[indices[i]]`; indices may repeat."""

    values: Array
    indices: Array

    @property
    def shape(self) -> None:
        """None, which no array has: so the sweep sees that this is none."""
