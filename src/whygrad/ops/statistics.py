"""Means and variances, weighted and from sufficient statistics."""

from __future__ import annotations

import math
from typing import Any

from whygrad._public import export
from whygrad.engines.numpy_reductions import is_half
from whygrad.ops import elementwise
from whygrad.ops.arguments import flag
from whygrad.ops.creation import zeros_like
from whygrad.ops.reductions import normal_axes, reduce_mean, reduce_sum, reduce_variance
from whygrad.ops.shaping import squeeze
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.tensor import Tensor


@export("nn.moments")
def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Mean and variance over `axes`. Half precision is computed in float32; `shift` is accepted and ignored.

    >>> import whygrad as tf
    >>> mean, variance = tf.nn.moments(tf.constant([[1.0, 2.0], [3.0, 6.0]]), axes=[0])
    >>> mean.numpy(), variance.numpy()
    (array([2., 4.], dtype=float32), array([1., 4.], dtype=float32))
    """
    tensor = convert(x, None)
    keepdims = flag(keepdims, "keepdims", "Mean")
    if not keepdims and not normal_axes(axes, tensor.ndim):
        # TensorFlow keeps all axes and squeezes `axes` out afterwards; an empty list of axes squeezes every axis of size 1.
        mean, variance = moments(tensor, axes, keepdims=True)
        return squeeze(mean), squeeze(variance)
    if not tensor.dtype.is_floating:  # in the same dtype: the variance of integers is an integer
        distance = elementwise.squared_difference(tensor, reduce_mean(tensor, axes, keepdims=True))
        return reduce_mean(tensor, axes, keepdims), reduce_mean(distance, axes, keepdims)
    if not is_half(tensor._array.dtype):
        return reduce_mean(tensor, axes, keepdims), reduce_variance(tensor, axes, keepdims)
    wide = elementwise.cast(tensor, dtypes.float32)
    mean, variance = reduce_mean(wide, axes, keepdims), reduce_variance(wide, axes, keepdims)
    return elementwise.cast(mean, tensor.dtype), elementwise.cast(variance, tensor.dtype)


@export("nn.weighted_moments")
def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Mean and variance over `axes`, with each value weighted by `frequency_weights`, which broadcast.

    >>> import whygrad as tf
    >>> mean, variance = tf.nn.weighted_moments([1.0, 5.0], axes=[0], frequency_weights=[3.0, 1.0])
    >>> mean.numpy(), variance.numpy()
    (np.float32(2.0), np.float32(3.0))
    """
    values = convert(x, None)
    if is_half(values._array.dtype):
        wide = elementwise.cast(values, dtypes.float32)
        weights = elementwise.cast(frequency_weights, dtypes.float32)
        mean, variance = weighted_moments(wide, axes, weights, keepdims)
        return elementwise.cast(mean, values.dtype), elementwise.cast(variance, values.dtype)
    given = convert(frequency_weights, None if hasattr(frequency_weights, "dtype") else values.dtype)
    weights = elementwise.cast(given, values.dtype) + zeros_like(values)
    share = weights / reduce_sum(weights, axes, keepdims=True)
    mean = reduce_sum(share * values, axes, keepdims=True)
    variance = reduce_sum(share * elementwise.squared_difference(values, mean), axes, keepdims)
    return mean if keepdims else reduce_sum(share * values, axes), variance


@export("nn.sufficient_statistics")
def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """The sufficient statistics of mean and variance over `axes`: the count, the sum and the sum of squares about `shift`, and `shift`.

    >>> import whygrad as tf
    >>> count, total, squares, shift = tf.nn.sufficient_statistics(tf.constant([1.0, 2.0, 4.0]), axes=[0])
    >>> count.numpy(), total.numpy(), squares.numpy(), shift
    (np.float32(3.0), np.float32(7.0), np.float32(21.0), None)
    """
    values = convert(x, None)
    axis = normal_axes(axes, values.ndim)
    count = elementwise.cast(math.prod([values._array.shape[i] for i in axis]), values.dtype)
    if shift is None:
        return count, reduce_sum(values, axis, keepdims), reduce_sum(elementwise.square(values), axis, keepdims), None
    about = convert(shift, None if hasattr(shift, "dtype") else values.dtype)
    squares = elementwise.squared_difference(values, about)
    return count, reduce_sum(values - about, axis, keepdims), reduce_sum(squares, axis, keepdims), about


@export("nn.normalize_moments")
def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Mean and variance from the result of `sufficient_statistics`.

    >>> import whygrad as tf
    >>> parts = tf.nn.sufficient_statistics(tf.constant([1.0, 3.0]), axes=[0])
    >>> mean, variance = tf.nn.normalize_moments(*parts)
    >>> mean.numpy(), variance.numpy()
    (np.float32(2.0), np.float32(1.0))
    """
    divisor = elementwise.reciprocal(counts)
    shifted_mean = elementwise.multiply(mean_ss, divisor)
    mean = shifted_mean if shift is None else elementwise.add(shifted_mean, shift)
    variance = elementwise.subtract(elementwise.multiply(variance_ss, divisor), elementwise.square(shifted_mean))
    return mean, variance
