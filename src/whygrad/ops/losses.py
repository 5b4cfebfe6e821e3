"""Losses: how far predictions are from what was wanted."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops import elementwise
from whygrad.ops.primitive import Primitive, apply, check_dtype, check_same_dtype, convert_operands
from whygrad.ops.reductions import static_number
from whygrad.ops.shaping import broadcast_to, reshape, transpose
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid, shape_text
from whygrad.values.tensor import Tensor

# -- cross entropy over classes --


def cross_entropy_vjp_logits(xp: Any, g: Any, labels: Any, logits: Any, axis: int) -> Any:
    """What the shares are beyond what was wanted. Labels are taken to sum to one, as TensorFlow takes them."""
    return xp.expand_dims(g, axis) * (xp.softmax(logits, axis=axis) - labels)


_softmax_cross_entropy = Primitive(
    "softmax_cross_entropy_with_logits",
    lambda xp, labels, logits, *, axis: xp.softmax_cross_entropy_with_logits(labels, logits, axis=axis),
    vjp=(
        lambda xp, g, logits, axis: -xp.expand_dims(g, axis) * xp.log_softmax(logits, axis=axis),
        cross_entropy_vjp_logits,
    ),
)


def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: Any = -1, name: str | None = None) -> Tensor:
    """The sum along `axis` of -labels * log(softmax(logits)), where each row of `labels` holds probabilities.

    The gradient takes it that labels sum to one along `axis`; there is one for labels too.

    >>> import whygrad as tf
    >>> labels, logits = [[0.0, 1.0], [0.5, 0.5]], [[0.0, 1000.0], [3.0, 3.0]]
    >>> tf.nn.softmax_cross_entropy_with_logits(labels, logits).numpy().round(4)
    array([0.    , 0.6931], dtype=float32)
    """
    op_name = "SoftmaxCrossEntropyWithLogits"
    values = convert(logits, None)
    check_dtype(values, "float", op_name)
    wanted = elementwise.cast(labels, values.dtype)
    rank = values.ndim
    number = static_number(axis, "axis must be a scalar, not {}", op_name)
    if not -rank <= number < rank:
        raise invalid(f"axis {number} is not in [{-rank}, {rank}) for logits with {rank} dimensions [Op:{op_name}]")
    if wanted._array.shape == values._array.shape:
        return apply(_softmax_cross_entropy, wanted, values, axis=number % rank)
    # TensorFlow makes matrices of both, one row for each distribution, and lets these broadcast.
    rows, wanted_rows = _rows(values, number), _rows(wanted, number)
    shapes = rows._array.shape, wanted_rows._array.shape
    try:
        common = np.broadcast_shapes(*shapes)
    except ValueError:
        raise invalid(
            f"logits and labels must be broadcastable: logits_size={shape_text(shapes[0])} "
            f"labels_size={shape_text(shapes[1])} [Op:{op_name}]"
        ) from None
    loss = apply(_softmax_cross_entropy, broadcast_to(wanted_rows, common), broadcast_to(rows, common), axis=1)
    shape = values._array.shape
    return reshape(loss, shape[:number] + shape[number:][1:])


def _rows(x: Tensor, axis: int) -> Tensor:
    """A matrix with `axis` last and all other axes made one."""
    rank = x.ndim
    if not -rank <= axis < rank:
        raise invalid(f"axis {axis} is not in [{-rank}, {rank}) for labels with {rank} dimensions")
    order = [i for i in range(rank) if i != axis % rank] + [axis % rank]
    moved = x if order == list(range(rank)) else transpose(x, order)
    size = x._array.shape[axis]
    return reshape(moved, (x._array.size // size if size else int(np.prod(moved._array.shape[:-1])), size))


# Which class is wanted: `labels` are positions, integers, and have no gradient.
_sparse_softmax_cross_entropy = Primitive(
    "sparse_softmax_cross_entropy_with_logits",
    lambda xp, labels, logits: xp.sparse_softmax_cross_entropy_with_logits(labels, logits),
    vjp=(None, lambda xp, g, labels, logits: xp.expand_dims(g, -1) * xp.softmax_beyond_label(labels, logits)),
)


def softmax_beyond_label_vjp(xp: Any, g: Any, logits: Any) -> Any:
    """That of softmax: what is taken off at the labels is constant."""
    shares = xp.softmax(logits, axis=-1)
    return (g - xp.sum(g * shares, axis=-1, keepdims=True)) * shares


_softmax_beyond_label = Primitive(
    "softmax_beyond_label",
    lambda xp, labels, logits: xp.softmax_beyond_label(labels, logits),
    vjp=(None, softmax_beyond_label_vjp),
)


def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any, name: str | None = None) -> Tensor:
    """-log(softmax(logits)) at the class that `labels`, int32 or int64, name on the last axis.

    >>> import whygrad as tf
    >>> tf.nn.sparse_softmax_cross_entropy_with_logits([1, 0], [[0.0, 1000.0], [3.0, 3.0]]).numpy().round(4)
    array([0.    , 0.6931], dtype=float32)
    """
    op_name = "SparseSoftmaxCrossEntropyWithLogits"
    if labels is None or logits is None:
        raise ValueError(
            "Both `labels` and `logits` must be provided for sparse_softmax_cross_entropy_with_logits. "
            f"Received: labels={labels} and logits={logits}"
        )
    wanted = labels if type(labels) is Tensor else convert(labels, None)
    values = logits if type(logits) is Tensor else convert(logits, None)
    classes, shape = wanted._array, values._array.shape
    if not shape:
        raise ValueError(f"`logits` cannot be a scalar. Received logits={values.numpy()}`")
    if classes.ndim != len(shape) - 1:
        raise ValueError(
            f"`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape={classes.shape} "
            f"of rank {classes.ndim} and logits.shape={shape} of rank {len(shape)}"
        )
    if classes.shape != shape[:-1]:
        raise ValueError(
            f"`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={classes.shape} and logits.shape={shape}"
        )
    check_dtype(values, "float", op_name)
    if wanted.dtype.name not in ("int32", "int64"):
        raise invalid(
            f"Value for attr 'Tlabels' of {wanted.dtype.cxx_name} is not in the list of allowed values: int32, int64 "
            f"[Op:{op_name}]"
        )
    count = shape[-1]
    if not count:
        raise invalid(f"Must have at least one class, but got logits shape {shape_text(shape)} [Op:{op_name}]")
    if classes.size:
        least, most = classes.min(), classes.max()
        if least < 0 or most >= count:
            raise invalid(
                f"Received a label value of {least if least < 0 else most} which is outside the valid range of "
                f"[0, {count}).  Label values: {' '.join(map(str, classes.reshape(-1).tolist()))} [Op:{op_name}]"
            )
    return apply(_sparse_softmax_cross_entropy, wanted, values)


# -- cross entropy of yes and no --

_sigmoid_cross_entropy = Primitive(
    "sigmoid_cross_entropy_with_logits",
    lambda xp, labels, logits: xp.sigmoid_cross_entropy_with_logits(labels, logits),
    vjp=(lambda xp, g, logits: -g * logits, lambda xp, g, labels, logits: g * (xp.sigmoid(logits) - labels)),
)


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
        raise ValueError(
            f"Both `labels` and `logits` must be provided for {function}. Received: labels={labels} and logits={logits}"
        )
    wanted, values = convert(labels, None), convert(logits, None)
    if wanted._array.shape != values._array.shape:
        raise ValueError(
            f"`logits` and `labels` must have the same shape, received ({values._array.shape} vs {wanted._array.shape})."
        )
    check_same_dtype(values, wanted, "Mul")
    check_dtype(values, "float", "Exp")
    return wanted, values
