"""Ops that run along an axis: cumulative sums, products and their kin."""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import Primitive, apply, check_dtype
from whygrad.ops.reductions import static_numbers
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.tensor import Tensor

_running_sum = Primitive(
    "running_sum",
    lambda xp, x, *, axis, exclusive, reverse: xp.running_sum(x, axis=axis, exclusive=exclusive, reverse=reverse),
    vjp=lambda xp, g, axis, exclusive, reverse: xp.running_sum(g, axis=axis, exclusive=exclusive, reverse=not reverse),
    op_name="Cumsum",
)


def _run(primitive: Primitive, allowed: str, x: Any, axis: Any, exclusive: Any, reverse: Any) -> Tensor:
    tensor = x if type(x) is Tensor else convert(x, None)
    op_name = primitive.op_name
    check_dtype(tensor, allowed, op_name)
    rank = tensor.ndim
    (number,) = static_numbers(axis)
    if not -rank <= number < rank:
        raise invalid(f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {number} [Op:{op_name}]")
    return apply(primitive, tensor, axis=number % rank, exclusive=bool(exclusive), reverse=bool(reverse))


def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """The running sum along `axis`; `exclusive` leaves out each element itself, `reverse` runs from the end.

    >>> import whygrad as tf
    >>> tf.cumsum([1.0, 2.0, 4.0]).numpy()
    array([1., 3., 7.], dtype=float32)
    >>> tf.cumsum([1.0, 2.0, 4.0], exclusive=True, reverse=True).numpy()
    array([6., 4., 0.], dtype=float32)
    """
    return _run(_running_sum, "number", x, axis, exclusive, reverse)
