"""Biases, normalization and dropout."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from whygrad._public import export
from whygrad.ops import elementwise, random
from whygrad.ops.advice import safe_with
from whygrad.ops.arguments import flag, function, integer, number, text
from whygrad.ops.partial import Rows
from whygrad.ops.primitive import Primitive, Record, apply, check_dtype, check_same_dtype
from whygrad.ops.shaping import vector_of_ints
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid, shape_text
from whygrad.values.faults import BiasCount
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import Tensor

# -- biases --


def bias_add_vjp_bias(xp: Any, g: Any, value_shape: tuple[int, ...], axis: int) -> Any:
    """The sum over all elements that share a bias."""
    return xp.sum(g, axis=tuple([i for i in range(len(value_shape)) if i != axis]))


def _bias_add_sparse(xp: Any, rows: Rows, record: Record) -> list[Any] | None:
    """The rows go to the value; the biases get the sum of them."""
    axis = record.attributes["axis"]
    return [rows, bias_add_vjp_bias(xp, rows.values, record.inputs[0].shape, axis)] if axis else None


_bias_add = Primitive(
    "bias_add", "bias_add", inputs=("value", "bias"), vjp=(lambda xp, g: g, bias_add_vjp_bias), sparse=_bias_add_sparse
)


@export("nn.bias_add")
def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Tensor:
    """Add a vector of biases to `value` along the last axis, or along the second with data_format="NC...".

    >>> import whygrad as tf
    >>> tf.nn.bias_add(tf.zeros((2, 3)), [1.0, 2.0, 3.0]).numpy()
    array([[1., 2., 3.],
           [1., 2., 3.]], dtype=float32)
    """
    op_name = "BiasAdd"
    if (
        data_format is not None
        and not text(data_format, "data_format").startswith("NC")
        and not (data_format.startswith("N") and data_format.endswith("C"))
    ):
        raise OpValueError(f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}")
    x = convert(value, None)
    b = convert(bias, None if elementwise.is_value(bias) else x.dtype)
    check_dtype(x, "number", op_name)
    check_same_dtype(x, b, op_name)
    shape, biases = x._array.shape, b._array.shape
    if len(shape) < 2:
        raise invalid(f"Input tensor must be at least 2D: {shape_text(shape)} [Op:{op_name}]")
    if len(biases) != 1:
        raise invalid(f"Biases must be 1D: {shape_text(biases)} [Op:{op_name}]")
    axis = 1 if data_format is not None and data_format.startswith("NC") else len(shape) - 1
    if shape[axis] != biases[0]:
        raise invalid(BiasCount(bias=biases, value=shape, op=op_name))
    return apply(_bias_add, x, b, axis=axis)


# -- normalization --


@safe_with("variance_epsilon", "1e-3")
@export("nn.batch_normalization")
def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> Tensor:
    """scale * (x - mean) / sqrt(variance + variance_epsilon) + offset, in x's dtype; offset and scale may be None.

    >>> import whygrad as tf
    >>> x = tf.constant([[1.0], [3.0]])
    >>> mean, variance = tf.nn.moments(x, axes=[0])
    >>> tf.nn.batch_normalization(x, mean, variance, offset=10.0, scale=2.0, variance_epsilon=0.0).numpy()
    array([[ 8.],
           [12.]], dtype=float32)
    """
    values = convert(x, None)
    spread = _in_dtype_of(variance, values)
    factor = elementwise.rsqrt(elementwise.add(spread, variance_epsilon))
    if scale is not None:
        factor = elementwise.multiply(factor, scale)
    centre = elementwise.multiply(_in_dtype_of(mean, values), factor)
    shift = elementwise.negative(centre) if offset is None else elementwise.subtract(offset, centre)
    scaled = elementwise.multiply(values, elementwise.cast(factor, values.dtype))
    return elementwise.add(scaled, elementwise.cast(shift, values.dtype))


@export("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    input: Any,
    mean: Any,
    variance: Any,
    beta: Any,
    gamma: Any,
    variance_epsilon: Any,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Tensor:
    """`batch_normalization` with the original paper's names: beta is the offset, gamma the scale, if it is used.

    >>> import whygrad as tf
    >>> x = tf.constant([[[[3.0]]]])
    >>> tf.nn.batch_norm_with_global_normalization(x, [1.0], [4.0], [10.0], [5.0], 0.0, True).numpy()
    array([[[[15.]]]], dtype=float32)
    """
    scale = gamma if flag(scale_after_normalization, "scale_after_normalization") else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon)


def _in_dtype_of(value: Any, tensor: Tensor) -> Tensor:
    """Convert a value to a Tensor, in the dtype of another unless it has its own."""
    return convert(value, None if elementwise.is_value(value) else tensor.dtype)


# Summing a neighbourhood is symmetric: it is its own rule.
_window_sum = Primitive(
    "window_sum", "window_sum", inputs=("x",), vjp=lambda xp, g, radius: xp.window_sum(g, radius=radius)
)


@export("nn.local_response_normalization", "nn.lrn")
def local_response_normalization(
    input: Any,
    depth_radius: Any = 5,
    bias: Any = 1,
    alpha: Any = 1,
    beta: Any = 0.5,
    name: str | None = None,
) -> Tensor:
    """x / (bias + alpha * s)^beta, where s sums the squares of the channels within `depth_radius`.

    >>> import whygrad as tf
    >>> x = tf.reshape([3.0, 4.0, 0.0], (1, 1, 1, 3))
    >>> tf.nn.local_response_normalization(x, depth_radius=1, bias=0.0).numpy()
    array([[[[0.6, 0.8, 0. ]]]], dtype=float32)
    """
    x = convert(input, None)
    check_dtype(x, "float", "LRN")
    if x.ndim != 4:
        raise invalid("in must be 4-dimensional [Op:LRN]")
    radius = integer(depth_radius, "depth_radius", "LRN")
    if radius < 0:
        raise invalid(f"depth_radius = {radius} larger than int max [Op:LRN]")
    squares = apply(_window_sum, elementwise.square(x), radius=radius)
    return elementwise.multiply(
        x, elementwise.pow(elementwise.add(elementwise.multiply(squares, alpha), bias), -number(beta, "beta", "LRN"))
    )


# -- dropout --


@export("nn.dropout")
def dropout(x: Any, rate: Any, noise_shape: Any = None, seed: Any = None, name: str | None = None) -> Tensor:
    """Set a random fraction `rate` of the elements of `x` to 0, and scale the others by 1 / (1 - rate).

    `noise_shape` broadcasts to x's shape: along axes of size 1, elements are kept or dropped together.

    >>> import whygrad as tf
    >>> tf.random.set_seed(1)
    >>> tf.nn.dropout(tf.ones(6), rate=0.5).numpy()
    array([0., 2., 2., 0., 0., 2.], dtype=float32)
    """

    def sampler(shape: Any, dtype: Any) -> Tensor:
        return random.uniform(shape, dtype=dtype, seed=seed)

    # Draw even if nothing is dropped, so that later random numbers do not depend on the rate.
    return _dropout(x, rate, noise_shape, sampler, lambda: random.uniform([], seed=seed))


@export("nn.experimental.stateless_dropout")
def stateless_dropout(
    x: Any, rate: Any, seed: Any, rng_alg: Any = None, noise_shape: Any = None, name: str | None = None
) -> Tensor:
    """Like `dropout`, but deterministic: the draws depend only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.nn.experimental.stateless_dropout(tf.ones(6), rate=0.5, seed=[1, 2]).numpy()
    array([2., 0., 2., 0., 0., 2.], dtype=float32)
    """
    algorithm = "auto_select" if rng_alg is None else rng_alg

    def sampler(shape: Any, dtype: Any) -> Tensor:
        return random.stateless_uniform(shape, seed, dtype=dtype, alg=algorithm)

    return _dropout(x, rate, noise_shape, sampler)


@export("nn.experimental.general_dropout")
def general_dropout(
    x: Any, rate: Any, uniform_sampler: Callable[..., Any], noise_shape: Any = None, name: str | None = None
) -> Tensor:
    """Like `dropout`, with draws from [0, 1) by `uniform_sampler(shape=, dtype=)`, such as that of a `random.Generator`.

    >>> import whygrad as tf
    >>> sampler = tf.random.Generator.from_seed(7).uniform
    >>> tf.nn.experimental.general_dropout(tf.ones(6), 0.5, sampler).numpy()
    array([0., 2., 2., 2., 2., 0.], dtype=float32)
    """
    return _dropout(x, rate, noise_shape, uniform_sampler)


def _dropout(
    x: Any, rate: Any, noise_shape: Any, sampler: Callable[..., Any], skip: Callable[[], Any] | None = None
) -> Tensor:
    """Scale all elements, then keep those whose uniform draw is at least `rate`; `skip` is called where no mask is needed."""
    is_number = isinstance(rate, numbers.Real)
    if is_number and not 0 <= rate < 1:
        raise OpValueError(f"`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate={rate}")
    values = convert(x, None)
    if not values.dtype.is_floating:
        raise OpValueError(
            f"`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x_dtype={values.dtype}"
        )
    if is_number and not rate:
        if skip is not None:
            skip()
        return values
    if is_number:
        scaled = elementwise.multiply(values, 1 / (1 - float(rate)))
    elif elementwise.is_value(rate):
        rate = _rate(rate, values)
        scaled = elementwise.realdiv(values, elementwise.subtract(1.0, rate))
    else:
        raise OpValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}")
    draws = function(sampler, "uniform_sampler")(
        shape=_noise_shape(noise_shape, values._array.shape), dtype=values.dtype
    )
    return elementwise.where(elementwise.greater_equal(draws, rate), scaled, elementwise.cast(0.0, values.dtype))


def _rate(rate: Any, values: Tensor) -> Tensor:
    """A rate given as a tensor or variable."""
    tensor = convert(rate, None)
    if tensor.ndim:
        raise OpValueError(f"Shape {tuple(tensor.shape)} must have rank 0")
    if tensor.dtype != values.dtype:
        raise OpValueError(
            f"`x.dtype` must be compatible with `rate.dtype`. Received: x.dtype={values.dtype} and "
            f"rate.dtype={tensor.dtype}"
        )
    return tensor


def _noise_shape(noise_shape: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the draws: that of the values, or the given one, where None stands for the size of the values."""
    if noise_shape is None:
        return shape
    if isinstance(noise_shape, list | tuple | TensorShape) and len(noise_shape) == len(shape):
        noise_shape = [size if given is None else given for given, size in zip(noise_shape, shape)]
    return vector_of_ints(noise_shape, "Shape", "T", "noise_shape must be a vector of integers, got shape {}")
