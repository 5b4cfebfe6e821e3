"""Loss functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.arguments import flag
from whygrad.ops.creation import zeros_like
from whygrad.ops.primitive import Primitive, apply, apply_several, check_dtype, check_same_dtype
from whygrad.ops.reductions import DIM_NOT_IN_RANGE, reduce_sum, static_number
from whygrad.ops.shaping import broadcast_to, expand_dims, reshape, squeeze, transpose
from whygrad.ops.traits import Batching, Flat, Logits, Selects, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError, invalid, shape_text
from whygrad.values.faults import (
    AxisOutOfRange,
    ClassIdsMisshapen,
    ClassIdsRank,
    DistributionsMisshapen,
    DtypeNotAllowed,
    ShapesDiffer,
)
from whygrad.values.tensor import Tensor, are_known, wrap

# -- cross entropy over classes --


def cross_entropy_vjp_logits(xp: Any, g: Any, labels: Any, logits: Any, axis: int) -> Any:
    """softmax(logits) - labels. Labels are assumed to sum to one, as in TensorFlow."""
    return xp.expand_dims(g, axis) * (xp.softmax(logits, axis=axis) - labels)


_softmax_cross_entropy = Primitive(
    "softmax_cross_entropy_with_logits",
    lambda xp, labels, logits, *, axis: xp.softmax_cross_entropy_with_logits(labels, logits, axis=axis),
    vjp=(
        lambda xp, g, logits, axis: -xp.expand_dims(g, axis) * xp.log_softmax(logits, axis=axis),
        cross_entropy_vjp_logits,
    ),
    traits=Traits(takes_logits=Logits.SOFTMAX_LOSS),
)


@export("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: Any = -1, name: str | None = None) -> Tensor:
    """The sum along `axis` of -labels * log(softmax(logits)), where each row of `labels` holds probabilities.

    The gradient assumes that labels sum to one along `axis`; labels have a gradient too.

    >>> import whygrad as tf
    >>> labels, logits = [[0.0, 1.0], [0.5, 0.5]], [[0.0, 1000.0], [3.0, 3.0]]
    >>> tf.nn.softmax_cross_entropy_with_logits(labels, logits).numpy().round(4)
    array([0.    , 0.6931], dtype=float32)
    """
    op_name = "SoftmaxCrossEntropyWithLogits"
    values = convert(logits, None)
    check_dtype(values, "float", op_name)
    wanted = elementwise.cast(convert(labels, None), values.dtype)
    rank = values.ndim
    number = static_number(axis, "axis must be a scalar, not {}", op_name)
    if not -rank <= number < rank:
        wording = "axis {axis} is not in [{lowest}, {count}) for logits with {rank} dimensions"
        raise invalid(AxisOutOfRange(axis=number, rank=rank, op=op_name, wording=wording))
    if wanted._array.shape == values._array.shape:
        return apply(_softmax_cross_entropy, wanted, values, axis=number % rank)
    # TensorFlow reshapes both to matrices with one row per distribution, and broadcasts these.
    rows, wanted_rows = _rows(values, number), _rows(wanted, number)
    shapes = rows._array.shape, wanted_rows._array.shape
    try:
        common = np.broadcast_shapes(*shapes)
    except ValueError:
        raise invalid(DistributionsMisshapen(logits=shapes[0], labels=shapes[1], op=op_name)) from None
    loss = apply(_softmax_cross_entropy, broadcast_to(wanted_rows, common), broadcast_to(rows, common), axis=1)
    shape = values._array.shape
    return reshape(loss, shape[:number] + shape[number:][1:])


def _rows(x: Tensor, axis: int) -> Tensor:
    """A matrix with `axis` last and all other axes flattened."""
    rank = x.ndim
    if not -rank <= axis < rank:
        wording = "axis {axis} is not in [{lowest}, {count}) for labels with {rank} dimensions"
        raise invalid(AxisOutOfRange(axis=axis, rank=rank, wording=wording))
    order = [i for i in range(rank) if i != axis % rank] + [axis % rank]
    moved = x if order == list(range(rank)) else transpose(x, order)
    size = x._array.shape[axis]
    return reshape(moved, (x._array.size // size if size else int(np.prod(moved._array.shape[:-1])), size))


# `labels` are class indices, integers, and have no gradient.
_sparse_softmax_cross_entropy = Primitive(
    "sparse_softmax_cross_entropy_with_logits",
    lambda xp, labels, logits: xp.sparse_softmax_cross_entropy_with_logits(labels, logits),
    vjp=(None, lambda xp, g, labels, logits: g[..., None] * xp.softmax_minus_one_hot(labels, logits)),
    traits=Traits(takes_logits=Logits.SOFTMAX_LOSS),
)


def softmax_beyond_label_vjp(xp: Any, g: Any, logits: Any) -> Any:
    """The rule of softmax: the 1 subtracted at the labels is constant."""
    shares = xp.softmax(logits, axis=-1)
    return (g - xp.sum(g * shares, axis=-1, keepdims=True)) * shares


_softmax_beyond_label = Primitive(
    "softmax_minus_one_hot",
    lambda xp, labels, logits: xp.softmax_minus_one_hot(labels, logits),
    vjp=(None, softmax_beyond_label_vjp),
)


@export("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Tensor:
    """-log(softmax(logits)) at the class given by `labels`, int32 or int64, along the last axis.

    >>> import whygrad as tf
    >>> tf.nn.sparse_softmax_cross_entropy_with_logits([1, 0], [[0.0, 1000.0], [3.0, 3.0]]).numpy().round(4)
    array([0.    , 0.6931], dtype=float32)
    """
    op_name = "SparseSoftmaxCrossEntropyWithLogits"
    if labels is None or logits is None:
        raise OpValueError(
            "Both `labels` and `logits` must be provided for sparse_softmax_cross_entropy_with_logits. "
            f"Received: labels={labels} and logits={logits}"
        )
    wanted = labels if type(labels) is Tensor else convert(labels, None)
    values = logits if type(logits) is Tensor else convert(logits, None)
    classes, shape = wanted._array, values._array.shape
    if not shape:
        raise OpValueError(f"`logits` cannot be a scalar. Received logits={values.numpy()}`")
    if classes.ndim != len(shape) - 1:
        raise OpValueError(ClassIdsRank(labels=classes.shape, logits=shape))
    if classes.shape != shape[:-1]:
        raise OpValueError(ClassIdsMisshapen(labels=classes.shape, logits=shape))
    check_dtype(values, "float", op_name)
    if wanted.dtype.name not in ("int32", "int64"):
        raise invalid(
            DtypeNotAllowed(
                dtype=wanted.dtype, allowed=("int32", "int64"), attribute="Tlabels", parameter="labels", op=op_name
            )
        )
    count = shape[-1]
    if not count:
        raise invalid(f"Must have at least one class, but got logits shape {shape_text(shape)} [Op:{op_name}]")
    return apply(_sparse_softmax_cross_entropy, wanted, values)


# -- binary cross entropy --

_sigmoid_cross_entropy = Primitive(
    "sigmoid_cross_entropy_with_logits",
    lambda xp, labels, logits: xp.sigmoid_cross_entropy_with_logits(labels, logits),
    vjp=(lambda xp, g, logits: -g * logits, lambda xp, g, labels, logits: g * (xp.sigmoid(logits) - labels)),
    traits=Traits(takes_logits=Logits.SIGMOID_LOSS, flat=Flat.LEVELS_OFF, batching=Batching.ELEMENTWISE),
)


@export("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """-labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)), element by element, without overflow.

    >>> import whygrad as tf
    >>> tf.nn.sigmoid_cross_entropy_with_logits([1.0, 0.0, 0.5], [1000.0, 1000.0, 0.0]).numpy().round(4)
    array([0.000e+00, 1.000e+03, 6.931e-01], dtype=float32)
    """
    wanted, values = _labels_and_logits(labels, logits, "sigmoid_cross_entropy_with_logits")
    return apply(_sigmoid_cross_entropy, wanted, values)


def _labels_and_logits(labels: Any, logits: Any, function: str) -> tuple[Tensor, Tensor]:
    """Labels and logits of one shape and float dtype."""
    if labels is None or logits is None:
        raise OpValueError(
            f"Both `labels` and `logits` must be provided for {function}. Received: labels={labels} and logits={logits}"
        )
    wanted, values = convert(labels, None), convert(logits, None)
    _check_same_shape(values, wanted, "logits", "labels")
    check_same_dtype(values, wanted, "Mul")
    check_dtype(values, "float", "Exp")
    return wanted, values


@export("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(labels: Any, logits: Any, pos_weight: Any, name: str | None = None) -> Tensor:
    """Like `sigmoid_cross_entropy_with_logits`, with positive labels weighted by `pos_weight`.

    At logits of exactly 0 the gradient is TensorFlow's, which takes 0 as the slope of |x| there.

    >>> import whygrad as tf
    >>> tf.nn.weighted_cross_entropy_with_logits([1.0, 0.0], [1.0, 1.0], pos_weight=2.0).numpy().round(4)
    array([0.6265, 1.3133], dtype=float32)
    """
    wanted = convert(labels, None)
    values = convert(logits, None if elementwise.is_value(logits) else wanted.dtype)
    _check_same_shape(values, wanted, "logits", "labels")
    check_same_dtype(wanted, values, "Mul")
    check_dtype(values, "float", "Exp")
    weight = convert(pos_weight, None if elementwise.is_value(pos_weight) else wanted.dtype)
    cost = elementwise.log1p(elementwise.exp(-elementwise.abs(values))) + elementwise.relu(-values)
    return (1 - wanted) * values + (1 + (weight - 1) * wanted) * cost


def _check_same_shape(first: Tensor, second: Tensor, first_name: str, second_name: str) -> None:
    shapes = first._array.shape, second._array.shape
    if shapes[0] != shapes[1]:
        raise OpValueError(
            ShapesDiffer(first=first_name, second=second_name, first_shape=shapes[0], second_shape=shapes[1])
        )


# -- other losses --


@export("nn.log_poisson_loss")
def log_poisson_loss(targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None) -> Tensor:
    """exp(log_input) - targets * log_input: the negative log-likelihood of counts `targets` at the rate exp(log_input).

    `compute_full_loss` adds the term that does not depend on the rate: log(targets!) by Stirling's formula, 0 up to one count.

    >>> import whygrad as tf
    >>> tf.nn.log_poisson_loss([1.0, 2.0], [0.0, 1.0]).numpy().round(4)
    array([1.    , 0.7183], dtype=float32)
    """
    values, counts = convert(log_input, None), convert(targets, None)
    _check_same_shape(values, counts, "log_input", "targets")
    loss = elementwise.exp(values) - elementwise.multiply(values, counts)
    if not flag(compute_full_loss, "compute_full_loss"):
        return loss
    stirling = counts * elementwise.log(counts) - counts + 0.5 * elementwise.log(2 * math.pi * counts)
    few = elementwise.logical_and(counts >= 0, counts <= 1)
    return loss + elementwise.where(few, zeros_like(counts), stirling)


@export("nn.compute_average_loss")
def compute_average_loss(per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None) -> Tensor:
    """The sum of the weighted losses divided by the batch size (the number of rows if not given).

    >>> import whygrad as tf
    >>> tf.nn.compute_average_loss([1.0, 2.0, 3.0], sample_weight=[1.0, 0.0, 1.0], global_batch_size=8).numpy()
    np.float32(0.5)
    """
    losses = convert(per_example_loss, None)
    if not losses.ndim:
        raise OpValueError(
            "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1. "
            f"Received per_example_loss={per_example_loss} with rank 0"
        )
    batch = losses._array.shape[0] if global_batch_size is None else _batch_size(global_batch_size)
    dtype = losses.dtype
    if sample_weight is not None:
        losses = elementwise.cast(_weighted(losses, sample_weight), dtype)
    return elementwise.divide_no_nan(reduce_sum(losses), elementwise.cast(batch, dtype))


def _batch_size(given: Any) -> Tensor:
    size = convert(given, None)
    if size.ndim:
        raise OpValueError(f"global_batch_size must be scalar.. Expected scalar shape, saw shape: {tuple(size.shape)}.")
    if not size.dtype.is_integer:
        raise OpTypeError(
            f'global_batch_size must be an integer.. Expected "x" to be integer type. Found: tensor of dtype {size.dtype}'
        )
    if are_known(size) and size._array < 0:
        raise invalid(
            f"global_batch_size must be non-negative. Condition x >= 0 did not hold element-wise: {size._array}"
        )
    return size


def _weighted(losses: Tensor, sample_weight: Any) -> Tensor:
    """Multiply losses by weights: one per element, one per row or one for all."""
    weights = elementwise.cast(convert(sample_weight, None), dtypes.float32)
    losses = elementwise.cast(losses, dtypes.float32)
    if weights.ndim == losses.ndim + 1 and weights._array.shape[-1] == 1:
        weights = squeeze(weights, [-1])
    elif weights.ndim and weights.ndim + 1 == losses.ndim:
        weights = expand_dims(weights, -1)
    return elementwise.multiply(losses, weights)


@export("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any) -> Tensor:
    """The sum of the loss divided by the number of replicas, here one.

    >>> import whygrad as tf
    >>> tf.nn.scale_regularization_loss([1.0, 2.0]).numpy()
    np.float32(3.0)
    """
    total = reduce_sum(regularization_loss)
    return elementwise.truediv(total, elementwise.cast(1, total.dtype))


# -- isotonic regression --


def isotonic_vjp(xp: Any, g: Any, y: Any) -> Any:
    """Within a segment all elements become their mean, and so do their cotangents."""
    return xp.segment_means(g[0], y[1])


_isotonic = Primitive("isotonic_regression", "isotonic_regression", inputs=("x",), vjp=isotonic_vjp)

# Averaging over segments is symmetric: it is its own rule.
_segment_means = Primitive(
    "segment_means",
    lambda xp, x, segments: xp.segment_means(x, segments),
    vjp=(lambda xp, g, segments: xp.segment_means(g, segments), None),
    traits=Traits(selects=Selects.PLACES),
)


@export("nn.isotonic_regression")
def isotonic_regression(inputs: Any, decreasing: bool = True, axis: Any = -1) -> tuple[Tensor, Tensor]:
    """The non-increasing (or non-decreasing) sequence along `axis` closest in least squares, and its segments.

    It is constant on each segment; segments are numbered along the axis.

    >>> import whygrad as tf
    >>> values, segments = tf.nn.isotonic_regression([3.0, 1.0, 2.0])
    >>> values.numpy(), segments.numpy()
    (array([3. , 1.5, 1.5], dtype=float32), array([0, 1, 1], dtype=int32))
    """
    x = convert(inputs, None)
    check_dtype(x, "real", "IsotonicRegression")
    if not x.dtype.is_floating:
        x = elementwise.cast(x, dtypes.float32 if x.dtype.size < 4 else dtypes.float64)
    rank = x.ndim
    if not rank:
        return x, wrap(np.zeros((), np.int32))
    number = static_number(axis, "axis must be a scalar, not {}", "IsotonicRegression")
    if not -rank <= number < rank:
        raise invalid(AxisOutOfRange(axis=number, rank=rank, wording=DIM_NOT_IN_RANGE))
    order = [i for i in range(rank) if i != number % rank] + [number % rank]
    moved = x if number % rank == rank - 1 else transpose(x, order)
    # Negating turns an increasing sequence into a decreasing one.
    falls = flag(decreasing, "decreasing")
    falling = moved if falls else elementwise.negative(moved)
    values, segments = apply_several(_isotonic, falling)
    if not falls:
        values = elementwise.negative(values)
    if moved is not x:
        back = np.argsort(order).tolist()
        values, segments = transpose(values, back), transpose(segments, back)
    return values, segments
