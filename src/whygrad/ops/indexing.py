"""Ops that select from a tensor or write into one."""

from __future__ import annotations

from typing import Any

from whygrad.ops.partial import Slot
from whygrad.ops.primitive import Primitive, apply
from whygrad.values.conversion import convert
from whygrad.values.tensor import Tensor

# Basic indexing: ints, slices, None and Ellipsis, all known when the op runs.
_getitem = Primitive(
    "getitem",
    lambda xp, x, *, index: x[index],
    vjp=lambda xp, g, index: Slot(g, index),
    op_name="StridedSlice",
)

# The sums of cotangents that `getitem` and `gather` leave behind, as ops: for sweeps that are differentiated themselves.
_place_slots = Primitive(
    "place_slots",
    lambda xp, *values, slots, shape: xp.place_slots(*values, slots=slots, shape=shape),
    joint=lambda xp, g, slots: tuple([g[index] for index in slots]),
)
_scatter_rows = Primitive(
    "scatter_rows",
    lambda xp, values, indices, *, shape: xp.scatter_rows(values, indices, shape=shape),
    vjp=(lambda xp, g, indices: xp.take(g, indices, axis=0), None),
)


def getitem(tensor: Any, key: Any) -> Tensor:
    """`tensor[key]`."""
    x = convert(tensor, None)
    index = key if isinstance(key, tuple) else (key,)
    return apply(_getitem, x, index=index)


Tensor.__getitem__ = getitem  # type: ignore[method-assign]
