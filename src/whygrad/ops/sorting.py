"""Ops that put elements in order, or find them in order."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops.primitive import Primitive, apply, check_dtype
from whygrad.ops.reductions import static_numbers
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.tensor import Tensor

# -- sorting --

_NO_ORDER_GRADIENT = "positions are integers: they do not change under a small step"

_sort_order = Primitive(
    "sort_order",
    lambda xp, x, *, axis, descending: xp.sort_order(x, axis=axis, descending=descending),
    no_gradient=_NO_ORDER_GRADIENT,
    op_name="TopKV2",
)
_place_along_axis = Primitive(
    "place_along_axis",
    lambda xp, values, positions, *, axis, size: xp.place_along_axis(values, positions, axis=axis, size=size),
    vjp=(lambda xp, g, positions, axis: xp.take_along_axis(g, positions, axis=axis), None),
    op_name="ScatterNd",
)


def sort_vjp(xp: Any, g: Any, x: Any, x_shape: tuple[int, ...], axis: int, descending: bool) -> Any:
    """Each cotangent back to where its element came from."""
    order = xp.sort_order(x, axis=axis, descending=descending)
    return xp.place_along_axis(g, order, axis=axis, size=x_shape[axis])


_sort = Primitive(
    "sort",
    lambda xp, x, *, axis, descending: xp.sort_values(x, axis=axis, descending=descending),
    vjp=sort_vjp,
    op_name="TopKV2",
)


def _sorting_arguments(values: Any, axis: Any, direction: str) -> tuple[Tensor, int, bool]:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            f"Argument `direction` should be one of ASCENDING, DESCENDING. Received: direction={direction}"
        )
    if axis is None:
        raise ValueError("Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor.")
    x = convert(values, None)
    number = int(axis)
    if not -x.ndim <= number < x.ndim:
        raise invalid(
            f"slice index {number if number >= 0 else number + x.ndim} of dimension 0 out of bounds. "
            f"The axis to sort along is {number}; the values have {x.ndim} dimension(s). [Op:StridedSlice]"
        )
    check_dtype(x, "real", "TopKV2")
    return x, number % x.ndim, direction == "DESCENDING"


def sort(values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """The values in order along `axis`; `direction` is "ASCENDING" or "DESCENDING".

    >>> import whygrad as tf
    >>> tf.sort([3.0, 1.0, 2.0], direction="DESCENDING").numpy()
    array([3., 2., 1.], dtype=float32)
    """
    x, number, descending = _sorting_arguments(values, axis, direction)
    return apply(_sort, x, axis=number, descending=descending)
