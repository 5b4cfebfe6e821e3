"""Cumulative ops along an axis: sums, products and others."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.ops.arguments import flag
from whygrad.ops.primitive import Primitive, apply, check_dtype
from whygrad.ops.reductions import static_number
from whygrad.ops.traits import Batching, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.faults import AxisOutOfRange
from whygrad.values.tensor import Tensor

_running_sum = Primitive(
    "running_sum",
    lambda xp, x, *, axis, exclusive, reverse: xp.running_sum(x, axis=axis, exclusive=exclusive, reverse=reverse),
    vjp=lambda xp, g, axis, exclusive, reverse: xp.running_sum(g, axis=axis, exclusive=exclusive, reverse=not reverse),
    op_name="Cumsum",
    traits=Traits(batching=Batching.LEADING),
)


def _divide_no_nan(xp: Any, a: Any, b: Any) -> Any:
    none = b == xp.zeros_like(b)
    return xp.where(none, xp.zeros_like(a), a / xp.where(none, xp.ones_like(b), b))


def running_product_vjp(xp: Any, g: Any, x: Any, y: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    """The sum over all products that contain an element, each divided by it; 0 at an element that is 0, as in TensorFlow."""
    return _divide_no_nan(xp, xp.running_sum(y * g, axis=axis, exclusive=exclusive, reverse=not reverse), x)


_running_product = Primitive(
    "running_product",
    lambda xp, x, *, axis, exclusive, reverse: xp.running_product(x, axis=axis, exclusive=exclusive, reverse=reverse),
    vjp=running_product_vjp,
    op_name="Cumprod",
)


def running_logsumexp_vjp(
    xp: Any, g: Any, x: Any, y: Any, x_dtype: Any, axis: int, exclusive: bool, reverse: bool
) -> Any:
    """exp(x) times the sum of g exp(-y) over the results that contain x: in logarithms, as either factor may overflow.

    Positive and negative cotangents are summed separately, since logarithms need one sign.
    """
    nothing = xp.full_like(g, dtypes.as_dtype(x_dtype).min)  # not -inf: this rule's own rule would subtract two of them

    def pull(g: Any) -> Any:
        positive = g > xp.zeros_like(g)
        log_g = xp.where(positive, xp.log(xp.where(positive, g, xp.ones_like(g))), nothing)
        return xp.exp(xp.running_logsumexp(log_g - y, axis=axis, exclusive=exclusive, reverse=not reverse) + x)

    return pull(g) - pull(-g)


_running_logsumexp = Primitive(
    "running_logsumexp",
    lambda xp, x, *, axis, exclusive, reverse: xp.running_logsumexp(x, axis=axis, exclusive=exclusive, reverse=reverse),
    vjp=running_logsumexp_vjp,
    op_name="CumulativeLogsumexp",
)


def _run(primitive: Primitive, allowed: str, x: Any, axis: Any, exclusive: Any, reverse: Any) -> Tensor:
    tensor = x if type(x) is Tensor else convert(x, None)
    op_name = primitive.op_name
    check_dtype(tensor, allowed, op_name)
    rank = tensor.ndim
    number = static_number(axis, "ScanOp: axis must be a scalar, not {}", op_name)
    if not -rank <= number < rank:
        shown = number if number >= 0 else number + rank
        wording = "ScanOp: Expected scan axis in the range [{lowest}, {count}), but got {axis}"
        raise invalid(AxisOutOfRange(axis=shown, rank=rank, op=op_name, wording=wording))
    return apply(
        primitive, tensor, axis=number % rank, exclusive=flag(exclusive, "exclusive"), reverse=flag(reverse, "reverse")
    )


@export("cumsum", "math.cumsum")
def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """The cumulative sum along `axis`; `exclusive` leaves out the current element, `reverse` starts from the end.

    >>> import whygrad as tf
    >>> tf.cumsum([1.0, 2.0, 4.0]).numpy()
    array([1., 3., 7.], dtype=float32)
    >>> tf.cumsum([1.0, 2.0, 4.0], exclusive=True, reverse=True).numpy()
    array([6., 4., 0.], dtype=float32)
    """
    return _run(_running_sum, "number", x, axis, exclusive, reverse)


@export("math.cumprod")
def cumprod(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None) -> Tensor:
    """The cumulative product along `axis`; `exclusive` leaves out the current element, `reverse` starts from the end.

    As in TensorFlow, the gradient at an element that is 0 is 0.

    >>> import whygrad as tf
    >>> tf.math.cumprod([1.0, 2.0, 4.0]).numpy()
    array([1., 2., 8.], dtype=float32)
    """
    return _run(_running_product, "number", x, axis, exclusive, reverse)


@export("math.cumulative_logsumexp")
def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The cumulative log(sum(exp(x))) along `axis`, without overflow; `exclusive` and `reverse` as in `cumsum`.

    >>> import whygrad as tf
    >>> tf.math.cumulative_logsumexp([0.0, 1000.0, 0.0]).numpy()
    array([   0., 1000., 1000.], dtype=float32)
    """
    return _run(_running_logsumexp, "float", x, axis, exclusive, reverse)
