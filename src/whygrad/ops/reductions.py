"""Reductions along axes: sums, means, extremes, norms, argmax and softmax."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.engines.numpy_reductions import is_half
from whygrad.ops import elementwise
from whygrad.ops.advice import SMALL, WrittenCall, also_written_for, safe_form
from whygrad.ops.arguments import flag, integer
from whygrad.ops.primitive import Primitive, apply, check_dtype, op_with_attributes
from whygrad.ops.traits import Batching, Flat, InfiniteSlope, Logits, Reduction, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, invalid, shape_text
from whygrad.values.faults import AxisOutOfRange, DtypeNotAllowed, DtypesDiffer, NotRepresentable
from whygrad.values.tensor import Tensor

# -- axes --


def normal_axes(axis: Any, rank: int, op_name: str = "Sum") -> tuple[int, ...]:
    """Convert an axis argument (None for all, a number or several, tensors too) to non-negative ints; raises TensorFlow's errors."""
    if axis is None:
        return _ALL[rank] if rank < len(_ALL) else tuple(range(rank))
    if type(axis) is int:
        if not -rank <= axis < rank:
            raise _outside(axis, rank, op_name)
        return (axis % rank,)
    plain = type(axis) in (list, tuple) and _INT.issuperset(map(type, axis))
    return _checked_axes(tuple(axis if plain else static_numbers(axis)), rank, op_name)


_INT = frozenset({int})


@functools.lru_cache(256)
def _checked_axes(numbers: tuple[int, ...], rank: int, op_name: str) -> tuple[int, ...]:
    axes: list[int] = []
    for number in numbers:
        if not -rank <= number < rank:
            raise _outside(number, rank, op_name)
        if number % rank in axes:
            raise invalid(
                f"Invalid reduction arguments: Axes contains duplicate dimension: {number % rank} [Op:{op_name}]"
            )
        axes.append(number % rank)
    return tuple(sorted(axes))


_ALL = tuple([tuple(range(rank)) for rank in range(8)])


def static_numbers(value: Any, allowed: tuple[str, ...] = ("int32", "int64"), attribute: str = "Tidx") -> list[int]:
    """Convert an integer, or several in a list, array or tensor of any rank, to a list of ints.

    A tensor's dtype must be one of `allowed`; Python's and NumPy's integers may have any size.
    """
    if isinstance(value, list | tuple) and not value:
        return []  # an empty list would become a tensor of floats
    array = convert(value, None)._array
    typed = type(getattr(value, "dtype", None)) is dtypes.DType
    if dtypes.of_array(array).name in allowed or (not typed and array.dtype.kind in "iub"):
        return [int(number) for number in array.reshape(-1)]
    if isinstance(value, float | complex):
        raise OpTypeError(NotRepresentable(shown=str(value), dtype=dtypes.int32))
    raise invalid(DtypeNotAllowed(dtype=dtypes.of_array(array), allowed=allowed, attribute=attribute))


def static_number(
    value: Any, sentence: str, op_name: str, allowed: tuple[str, ...] = ("int32", "int64"), attribute: str = "Tidx"
) -> int:
    """An integer given as a number, array or tensor of rank 0; `sentence` is the message for another shape."""
    if type(value) is int:
        return value
    numbers = static_numbers(value, allowed, attribute)
    shape = convert(value, None)._array.shape
    if shape:
        raise invalid(f"{sentence.format(shape_text(shape))} [Op:{op_name}]")
    return numbers[0]


# As softmax and isotonic regression word an axis that does not exist.
DIM_NOT_IN_RANGE = (
    "`dim` must be in the range [{lowest}, {count}) where {rank} is the number of dimensions in the input. "
    "Received: dim={axis}"
)


def _outside(number: int, rank: int, op_name: str) -> Exception:
    wording = "Invalid reduction dimension ({axis} for input with {rank} dimension(s)"
    return invalid(AxisOutOfRange(axis=number, rank=rank, op=op_name, wording=wording))


def expand_reduced(xp: Any, g: Any, x_shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Any:
    """Broadcast the cotangent of a reduction back over the reduced axes. The result is read-only."""
    return xp.unreduce(g, shape=x_shape, axis=axis, keepdims=keepdims)


_unreduce = Primitive(
    "unreduce",
    lambda xp, x, *, shape, axis, keepdims: xp.unreduce(x, shape=shape, axis=axis, keepdims=keepdims),
    vjp=lambda xp, g, axis, keepdims: xp.sum(g, axis=axis, keepdims=keepdims),
    op_name="BroadcastTo",
    traits=Traits(batching=Batching.LEADING),
)


def _reduced_size(shape: tuple[int, ...], axis: tuple[int, ...]) -> int:
    return math.prod(shape if len(axis) == len(shape) else map(shape.__getitem__, axis))


def _reduce(primitive: Primitive, allowed: str, input_tensor: Any, axis: Any, keepdims: Any) -> Tensor:
    x = input_tensor if type(input_tensor) is Tensor else convert(input_tensor, None)
    check_dtype(x, allowed, primitive.op_name)
    axes = normal_axes(axis, len(x._array.shape), primitive.op_name)
    keeps = keepdims if keepdims is False else flag(keepdims, "keepdims")
    op = _reductions.get((primitive, axes, keeps))
    if op is None:
        if len(_reductions) >= _MOST_REDUCTIONS:
            _reductions.clear()
        op = _reductions[primitive, axes, keeps] = op_with_attributes(
            primitive, "float", {"axis": axes, "keepdims": keeps}
        )
    return op(x)


# A program reduces over few axes, again and again.
_reductions: dict[tuple[Primitive, tuple[int, ...], bool], Callable[[Tensor], Tensor]] = {}
_MOST_REDUCTIONS = 256


# -- sums, means and products --


def _sum(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    dtype = x.dtype
    if is_half(dtype):
        return xp.add.reduce(x, axis=axis, dtype=xp.float32, keepdims=keepdims).astype(dtype)
    return xp.add.reduce(x, axis=axis, dtype=dtype, keepdims=keepdims)


_reduce_sum = Primitive("reduce_sum", _sum, vjp=expand_reduced, op_name="Sum", traits=Traits(reduces=Reduction.SUM))


@export("reduce_sum", "math.reduce_sum")
def reduce_sum(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The sum over `axis` (a number, several, or None for all).

    >>> import whygrad as tf
    >>> tf.reduce_sum([[1.0, 2.0], [3.0, 4.0]], axis=0).numpy()
    array([4., 6.], dtype=float32)
    """
    return _reduce(_reduce_sum, "number", input_tensor, axis, keepdims)


def _mean(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    dtype = x.dtype
    count = _reduced_size(x.shape, axis)
    if dtype.kind in "iu":
        total = xp.add.reduce(x, axis=axis, dtype=xp.int64 if dtype.kind == "i" else xp.uint64, keepdims=keepdims)
        return _truncated_quotient(total, max(count, 1)).astype(dtype)
    if is_half(dtype):
        return (xp.add.reduce(x, axis=axis, dtype=xp.float32, keepdims=keepdims) / count).astype(dtype)
    if dtype.kind == "c":
        count = max(count, 1)  # TensorFlow's mean of no complex numbers is 0, of no floats nan
    return xp.add.reduce(x, axis=axis, keepdims=keepdims) / count


def _truncated_quotient(total: Any, count: int) -> Any:
    """total / count for integers, rounded towards zero, like TensorFlow's integer mean."""
    quotient = total // count
    return quotient + ((total < 0) & (quotient * count != total))


def _mean_vjp(xp: Any, g: Any, x_shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Any:
    return xp.unreduce(g / _reduced_size(x_shape, axis), shape=x_shape, axis=axis, keepdims=keepdims)


_reduce_mean = Primitive("reduce_mean", _mean, vjp=_mean_vjp, op_name="Mean", traits=Traits(reduces=Reduction.MEAN))


@export("reduce_mean", "math.reduce_mean")
def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The mean over `axis` (a number, several, or None for all). The mean of integers is an integer, rounded towards zero.

    >>> import whygrad as tf
    >>> tf.reduce_mean([[1.0, 2.0], [3.0, 5.0]], axis=1).numpy()
    array([1.5, 4. ], dtype=float32)
    >>> tf.reduce_mean([1, 2, 4]).numpy()
    np.int32(2)
    """
    return _reduce(_reduce_mean, "number", input_tensor, axis, keepdims)


def _product(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    dtype = x.dtype
    if is_half(dtype):
        return xp.multiply.reduce(x, axis=axis, dtype=xp.float32, keepdims=keepdims).astype(dtype)
    return xp.multiply.reduce(x, axis=axis, dtype=dtype, keepdims=keepdims)


def product_vjp(xp: Any, g: Any, x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The product of all other elements: not y / x, which fails where an element is 0."""
    shape = tuple(x.shape)
    kept = tuple([i for i in range(len(shape)) if i not in axis])
    order = kept + axis
    size = _reduced_size(shape, axis)
    moved = xp.transpose(x, order)
    flat = xp.reshape(moved, (*[shape[i] for i in kept], size))
    others = _products_before(xp, flat, size) * _products_before(xp, flat[..., ::-1], size)[..., ::-1]
    back = tuple(np.argsort(order).tolist())
    others = xp.transpose(xp.reshape(others, tuple([shape[i] for i in order])), back)
    return expand_reduced(xp, g, shape, axis, keepdims) * others


def _products_before(xp: Any, x: Any, size: int) -> Any:
    """Along the last axis, the product of all elements before each one, by repeated doubling.

    It uses only multiplications, so its own derivatives are right at zeros too.
    """
    if not size:
        return x
    ones = xp.ones_like(x)
    products = xp.concatenate((ones[..., :1], x[..., :-1]), axis=-1)
    reach = 1
    while reach < size:
        earlier = xp.concatenate((ones[..., :reach], products[..., :-reach]), axis=-1)
        products = products * earlier
        reach *= 2
    return products


_reduce_prod = Primitive(
    "reduce_prod", _product, vjp=product_vjp, op_name="Prod", traits=Traits(reduces=Reduction.PRODUCT)
)


@export("reduce_prod", "math.reduce_prod")
def reduce_prod(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The product over `axis` (a number, several, or None for all).

    >>> import whygrad as tf
    >>> tf.reduce_prod([[1.0, 2.0], [3.0, 4.0]], axis=1).numpy()
    array([ 2., 12.], dtype=float32)
    """
    return _reduce(_reduce_prod, "number", input_tensor, axis, keepdims)


# -- extremes --


def _lowest(dtype: Any) -> Any:
    return np.iinfo(dtype).min if dtype.kind in "iu" else dtype.type(-np.inf)


def _highest(dtype: Any) -> Any:
    return np.iinfo(dtype).max if dtype.kind in "iu" else dtype.type(np.inf)


def _max(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    if x.size:
        return xp.maximum.reduce(x, axis=axis, keepdims=keepdims)
    return xp.maximum.reduce(x, axis=axis, keepdims=keepdims, initial=_lowest(x.dtype))


def _min(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    if x.size:
        return xp.minimum.reduce(x, axis=axis, keepdims=keepdims)
    return xp.minimum.reduce(x, axis=axis, keepdims=keepdims, initial=_highest(x.dtype))


def extreme_vjp(xp: Any, g: Any, x: Any, y: Any, x_shape: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The cotangent goes to the elements that equal the extreme, split evenly."""
    return expand_reduced(xp, g, x_shape, axis, keepdims) * xp.extreme_shares(x, y, axis=axis, keepdims=keepdims)


_extreme_shares = Primitive(
    "extreme_shares",
    lambda xp, x, extreme, *, axis, keepdims: xp.extreme_shares(x, extreme, axis=axis, keepdims=keepdims),
    no_gradient="which elements are the extreme does not change under a small step",
)
_reduce_max = Primitive(
    "reduce_max", _max, vjp=extreme_vjp, op_name="Max", traits=Traits(reduces=Reduction.MAXIMUM, piecewise_linear=True)
)
_reduce_min = Primitive(
    "reduce_min", _min, vjp=extreme_vjp, op_name="Min", traits=Traits(reduces=Reduction.MINIMUM, piecewise_linear=True)
)


@export("reduce_max", "math.reduce_max")
@also_written_for("tf.maximum")
def reduce_max(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The maximum over `axis` (a number, several, or None for all). Ties share the gradient evenly.

    >>> import whygrad as tf
    >>> tf.reduce_max([[1.0, 2.0], [4.0, 3.0]], axis=1).numpy()
    array([2., 4.], dtype=float32)
    """
    return _reduce(_reduce_max, "real", input_tensor, axis, keepdims)


@export("reduce_min", "math.reduce_min")
@also_written_for("tf.minimum")
def reduce_min(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The minimum over `axis` (a number, several, or None for all). Ties share the gradient evenly.

    >>> import whygrad as tf
    >>> tf.reduce_min([[1.0, 2.0], [4.0, 3.0]], axis=1).numpy()
    array([1., 3.], dtype=float32)
    """
    return _reduce(_reduce_min, "real", input_tensor, axis, keepdims)


# -- any and all --

_TRUTH = "true and false do not change under a small step"
_reduce_any = Primitive(
    "reduce_any",
    lambda xp, x, *, axis, keepdims: xp.any(x, axis=axis, keepdims=keepdims),
    no_gradient=_TRUTH,
    op_name="Any",
    traits=Traits(reduces=Reduction.LOGICAL),
)
_reduce_all = Primitive(
    "reduce_all",
    lambda xp, x, *, axis, keepdims: xp.all(x, axis=axis, keepdims=keepdims),
    no_gradient=_TRUTH,
    op_name="All",
    traits=Traits(reduces=Reduction.LOGICAL),
)


def _reduce_truth(primitive: Primitive, input_tensor: Any, axis: Any, keepdims: Any) -> Tensor:
    typed = type(getattr(input_tensor, "dtype", None)) is dtypes.DType
    x = convert(input_tensor, None if typed else dtypes.bool_)
    if x._array.dtype.kind != "b":
        raise invalid(DtypesDiffer(wanted=dtypes.bool_, dtype=x.dtype, position=0, op=primitive.op_name))
    return apply(primitive, x, axis=normal_axes(axis, x.ndim, primitive.op_name), keepdims=flag(keepdims, "keepdims"))


@export("reduce_any", "math.reduce_any")
def reduce_any(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """True where any element over `axis` is true. It has no gradient.

    >>> import whygrad as tf
    >>> tf.reduce_any([[True, False], [False, False]], axis=1).numpy()
    array([ True, False])
    """
    return _reduce_truth(_reduce_any, input_tensor, axis, keepdims)


@export("reduce_all", "math.reduce_all")
def reduce_all(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """True where all elements over `axis` are true. It has no gradient.

    >>> import whygrad as tf
    >>> tf.reduce_all([[True, False], [True, True]], axis=1).numpy()
    array([False,  True])
    """
    return _reduce_truth(_reduce_all, input_tensor, axis, keepdims)


# -- norms, variances and logsumexp --


def logsumexp_vjp(xp: Any, g: Any, x: Any, y: Any, x_shape: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The softmax of x times g."""
    return expand_reduced(xp, g, x_shape, axis, keepdims) * xp.exp(x - expand_reduced(xp, y, x_shape, axis, keepdims))


_reduce_logsumexp = Primitive(
    "reduce_logsumexp",
    lambda xp, x, *, axis, keepdims: xp.logsumexp(x, axis=axis, keepdims=keepdims),
    vjp=logsumexp_vjp,
    op_name="Max",
    traits=Traits(reduces=Reduction.LOGSUMEXP),  # the first of TensorFlow's ops for it: its messages name that one
)


@export("reduce_logsumexp", "math.reduce_logsumexp")
def reduce_logsumexp(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """log(sum(exp(x))) over `axis`, without overflow.

    >>> import whygrad as tf
    >>> tf.reduce_logsumexp([1000.0, 0.0]).numpy()
    np.float32(1000.0)
    """
    return _reduce(_reduce_logsumexp, "float", input_tensor, axis, keepdims)


def euclidean_norm_vjp(
    xp: Any, g: Any, x: Any, y: Any, x_shape: Any, x_dtype: Any, axis: tuple[int, ...], keepdims: bool
) -> Any:
    """x / y times g; nan where the norm is 0, as in TensorFlow."""
    if x_dtype.kind == "c":
        g = (g + xp.conj(g)) / 2  # a norm is real: the imaginary part of its cotangent has no effect
    return x * expand_reduced(xp, g / y, x_shape, axis, keepdims)


_reduce_euclidean_norm = Primitive(
    "reduce_euclidean_norm",
    lambda xp, x, *, axis, keepdims: xp.euclidean_norm(x, axis=axis, keepdims=keepdims),
    vjp=euclidean_norm_vjp,
    op_name="EuclideanNorm",
    conjugates=False,
    traits=Traits(reduces=Reduction.NORM, domain=(InfiniteSlope(),)),  # the result is real, in a complex dtype too
)


def safe_norm(call: WrittenCall) -> str:
    """A norm as a root of a sum, with a small constant inside."""
    x, order = next(iter(call.given.values())), call.given.get("ord", "2")
    axes = "".join(f", {name}={call.given[name]}" for name in ("axis", "keepdims") if name in call.given)
    if order in ("2", "2.0", "'euclidean'", "'fro'"):
        return f"tf.sqrt(tf.reduce_sum(tf.square({x}){axes}) + {SMALL})"
    return f"(tf.reduce_sum(tf.abs({x}) ** {order}{axes}) + {SMALL}) ** (1 / {order})"


@safe_form(safe_norm)
@export("math.reduce_euclidean_norm")
def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The square root of the sum of squares over `axis`.

    >>> import whygrad as tf
    >>> tf.math.reduce_euclidean_norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    """
    return _reduce(_reduce_euclidean_norm, "number", input_tensor, axis, keepdims)


def _variance(xp: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    distance = x - _mean(xp, x, axis=axis, keepdims=True)
    return _mean(xp, distance * distance, axis=axis, keepdims=keepdims)


def variance_vjp(xp: Any, g: Any, x: Any, x_shape: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """2 (x - mean) / count: the effect of an element on the mean itself cancels out."""
    count = max(_reduced_size(x_shape, axis), 1)
    distance = x - xp.sum(x, axis=axis, keepdims=True) / count
    return distance * expand_reduced(xp, g / count * 2, x_shape, axis, keepdims)


_reduce_variance = Primitive(
    "reduce_variance", _variance, vjp=variance_vjp, op_name="Mean", traits=Traits(reduces=Reduction.VARIANCE)
)


@export("math.reduce_variance")
def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The variance over `axis`: the mean squared deviation from the mean; real for complex tensors.

    >>> import whygrad as tf
    >>> tf.math.reduce_variance([[1.0, 3.0], [2.0, 8.0]], axis=1).numpy()
    array([1., 9.], dtype=float32)
    """
    x = convert(input_tensor, None)
    if x.dtype.is_integer:
        raise OpTypeError(f"Input must be either real or complex. Received integer type {x.dtype}.")
    if not x.dtype.is_complex:
        return _reduce(_reduce_variance, "float", x, axis, keepdims)
    distance = x - reduce_mean(x, axis, keepdims=True)
    return reduce_mean(elementwise.real(elementwise.conj(distance) * distance), axis, keepdims)


@safe_form(lambda call: f"tf.sqrt(tf.math.reduce_variance({call.arguments}) + {SMALL})")
@export("math.reduce_std")
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The standard deviation over `axis`.

    >>> import whygrad as tf
    >>> tf.math.reduce_std([[1.0, 3.0], [2.0, 8.0]], axis=1).numpy()
    array([1., 3.], dtype=float32)
    """
    return elementwise.sqrt(reduce_variance(input_tensor, axis, keepdims))


# -- argmax and argmin --

_WEIGHTS = "a softmax, which weights all positions where this picks one"

_argmax = Primitive(
    "argmax",
    lambda xp, x, *, axis, dtype: xp.extreme_position(x, axis=axis, largest=True).astype(dtype),
    no_gradient="argmax gives positions, integers: they do not change under a small step",
    op_name="ArgMax",
    traits=Traits(finds_extreme=True, smooth_form=_WEIGHTS, smooth_code="tf.nn.softmax({0})"),
)
_argmin = Primitive(
    "argmin",
    lambda xp, x, *, axis, dtype: xp.extreme_position(x, axis=axis, largest=False).astype(dtype),
    no_gradient="argmin gives positions, integers: they do not change under a small step",
    op_name="ArgMin",
    traits=Traits(finds_extreme=True, smooth_form=_WEIGHTS, smooth_code="tf.nn.softmax(-{0})"),
)


_ARGMAX_AXES = ("int8", "int16", "int32", "int64", "uint8", "uint16")


def _position(
    primitive: Primitive,
    input: Any,
    axis: Any,
    output_type: Any,
    output_types: tuple[str, ...],
    axis_types: tuple[str, ...],
) -> Tensor:
    x = convert(input, None)
    op_name = primitive.op_name
    if x._array.dtype.kind != "b":
        check_dtype(x, "real", op_name)
    dtype = checked_type(dtypes.int64 if output_type is None else output_type, output_types, "output_type", op_name)
    rank = x.ndim
    sentence = "dim must be a scalar, but received tensor of shape: {}"
    number = 0 if axis is None else static_number(axis, sentence, op_name, axis_types)
    if not -rank <= number < rank:
        wording = "Expected dimension in the range [{lowest}, {count}), but got {axis}"
        raise invalid(AxisOutOfRange(axis=number, rank=rank, op=op_name, wording=wording))
    if not x._array.shape[number]:
        raise invalid(f"Reduction axis {number % rank} is empty in shape {shape_text(x._array.shape)} [Op:{op_name}]")
    return apply(primitive, x, axis=number % rank, dtype=dtype)


def checked_type(type_value: Any, allowed: tuple[str, ...], attribute: str, op_name: str) -> Any:
    """The NumPy dtype for TensorFlow's type attribute `attribute`, which must be one of `allowed`."""
    dtype = dtypes.as_dtype(type_value)
    if dtype.name not in allowed:
        raise invalid(DtypeNotAllowed(dtype=dtype, allowed=allowed, attribute=attribute, op=op_name))
    return dtype.numpy_dtype


@export("argmax", "math.argmax")
def argmax(input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """The index of the maximum along `axis` (the first axis if None); the first of several. It has no gradient.

    >>> import whygrad as tf
    >>> tf.argmax([[1.0, 5.0, 2.0], [7.0, 0.0, 7.0]], axis=1).numpy()
    array([1, 0])
    """
    if isinstance(axis, float | list | tuple):
        raise OpTypeError("axis must be int or Tensor with integer datatype")
    if isinstance(axis, Tensor) and axis.dtype.name not in _ARGMAX_AXES:
        raise OpTypeError(f"axis tensor dtypes {axis.dtype} is not supported")
    return _position(_argmax, input, axis, output_type, ("int16", "uint16", "int32", "int64"), _ARGMAX_AXES)


@export("argmin", "math.argmin")
def argmin(input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """The index of the minimum along `axis` (the first axis if None); the first of several. It has no gradient.

    >>> import whygrad as tf
    >>> tf.argmin([[1.0, 5.0, 2.0], [7.0, 0.0, 7.0]], axis=1).numpy()
    array([0, 1])
    """
    return _position(_argmin, input, axis, output_type, ("int32", "int64"), ("int32", "int64"))


# -- softmax --


def softmax_grad_vjp_shares(xp: Any, g: Any, gain: Any, shares: Any, axis: int) -> Any:
    """The shares y occur twice in (gain - sum(gain * y)) * y: as the last factor, and in the sum."""
    together = xp.sum(gain * shares, axis=axis, keepdims=True)
    return g * (gain - together) - gain * xp.sum(g * shares, axis=axis, keepdims=True)


_softmax_grad = Primitive(
    "softmax_grad",
    lambda xp, gain, shares, *, axis: xp.softmax_grad(gain, shares, axis=axis),
    vjp=(lambda xp, g, shares, axis: xp.softmax_grad(g, shares, axis=axis), softmax_grad_vjp_shares),
    traits=Traits(batching=Batching.LEADING),
)
_softmax_primitive = Primitive(
    "softmax",
    "softmax",
    vjp=lambda xp, g, y, axis: xp.softmax_grad(g, y, axis=axis),
    op_name="Softmax",
    traits=Traits(takes_logits=Logits.SOFTMAX, flat=Flat.LEVELS_OFF),
)
_log_softmax_primitive = Primitive(
    "log_softmax",
    "log_softmax",
    vjp=lambda xp, g, y, axis: g - xp.sum(g, axis=axis, keepdims=True) * xp.exp(y),
    op_name="LogSoftmax",
    traits=Traits(takes_logits=Logits.LOG_SOFTMAX),
)


def _normalise(primitive: Primitive, logits: Any, axis: Any) -> Tensor:
    x = logits if type(logits) is Tensor else convert(logits, None)
    check_dtype(x, "float", primitive.op_name)
    rank = len(x._array.shape)
    number = -1 if axis is None else integer(axis, "axis", primitive.op_name)
    if not rank:
        raise invalid(f"logits must have >= 1 dimension, got [] [Op:{primitive.op_name}]")
    if not -rank <= number < rank:
        raise invalid(AxisOutOfRange(axis=number, rank=rank, op=primitive.op_name, wording=DIM_NOT_IN_RANGE))
    return apply(primitive, x, axis=number % rank)


@export("math.softmax", "nn.softmax")
def softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """exp(logits) divided by its sum along `axis` (the last one if None): positive numbers that sum to one.

    >>> import whygrad as tf
    >>> tf.nn.softmax([0.0, 0.0, 1000.0]).numpy()
    array([0., 0., 1.], dtype=float32)
    """
    return _normalise(_softmax_primitive, logits, axis)


@export("math.log_softmax", "nn.log_softmax")
def log_softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """The logarithm of `softmax`, exact even where softmax underflows.

    >>> import whygrad as tf
    >>> tf.nn.log_softmax([0.0, 1000.0]).numpy()
    array([-1000.,     0.], dtype=float32)
    """
    return _normalise(_log_softmax_primitive, logits, axis)


# -- l2_loss --


_l2_loss = Primitive(
    "l2_loss",
    lambda xp, t: _sum(xp, t * t, axis=tuple(range(t.ndim)), keepdims=False) / 2,
    vjp=lambda xp, g, t: t * g,
    op_name="L2Loss",
    traits=Traits(reduces=Reduction.SUM_OF_SQUARES),
)


@export("nn.l2_loss")
def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half the sum of squares.

    >>> import whygrad as tf
    >>> tf.nn.l2_loss([3.0, 4.0]).numpy()
    np.float32(12.5)
    """
    tensor = convert(t, None)
    check_dtype(tensor, "float", "L2Loss")
    return apply(_l2_loss, tensor)
