"""Rows for `whygrad.ops.activations`, `whygrad.ops.losses` and `whygrad.ops.normalization`."""

import numpy as np

from tests.support.cases import BadInput, Case, anything, between

INF, NAN = np.inf, np.nan
FLOATS = ("float16", "bfloat16", "float32", "float64")
EXTREME_LOGITS = np.array([[1e4, -1e4, 0.0], [-800.0, 0.0, 800.0]])


def _shares(tf, x, axis=-1):
    """Labels that sum to one."""
    return tf.nn.softmax(x, axis=axis)


CASES = [
    # Of the gradient for the logits TensorFlow's derivative by the labels is 0, which it is not: finite differences check it.
    Case(
        "softmax_cross_entropy",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p), x),
        (anything(4, 3), anything(4, 3)),
        dtypes=FLOATS,
        second=False,
    ),
    Case(
        "softmax_cross_entropy logits",
        lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(tf.cast([[0.5, 0.2, 0.3], [0, 1, 0]], x.dtype), x),
        (anything(2, 3),),
    ),
    Case(
        "softmax_cross_entropy axis 0",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p, 0), x, axis=0),
        (anything(4, 3), anything(4, 3)),
        second=False,
    ),
    Case(
        "softmax_cross_entropy middle axis",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p, 1), x, axis=1),
        (anything(2, 4, 3), anything(2, 4, 3)),
        second=False,
    ),
    # Of the negative axes TensorFlow knows only -1 here.
    Case(
        "softmax_cross_entropy negative axis",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p, -2), x, axis=-2),
        (anything(2, 4, 3), anything(2, 4, 3)),
        tensorflow=False,
    ),
    Case(
        "softmax_cross_entropy vector",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p), x),
        (anything(3), anything(3)),
        second=False,
    ),
    # TensorFlow's gradient fails where labels or logits were broadcast.
    Case(
        "softmax_cross_entropy broadcast labels",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p), x),
        (anything(3), anything(2, 2, 3)),
        tensorflow=False,
    ),
    Case(
        "softmax_cross_entropy broadcast logits",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p, 0), x, axis=0),
        (anything(3, 2), anything(1, 2)),
        tensorflow=False,
        order=0,
    ),
    Case(
        "softmax_cross_entropy labels of any sum",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(p, x),
        (anything(2, 3), anything(2, 3)),
        order=0,
    ),
    Case(
        "softmax_cross_entropy extreme",
        lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(tf.cast([[0, 1, 0], [0, 0, 1]], x.dtype), x),
        (EXTREME_LOGITS,),
        order=0,
    ),
    Case(
        "softmax_cross_entropy infinite",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(p, x),
        (np.array([[1.0, 0, 0], [0, 1, 0]]), np.array([[-INF, 1, 2], [-INF, 1, 2]])),
        order=0,
    ),
    Case(
        "softmax_cross_entropy integer labels",
        lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(tf.constant([[0, 1, 0]]), x),
        (anything(1, 3),),
    ),
    Case(
        "softmax_cross_entropy empty",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(p, x),
        (anything(0, 3), anything(0, 3)),
    ),
    Case(
        "softmax_cross_entropy no classes",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(p, x),
        (anything(3, 0), anything(3, 0)),
    ),
    Case(
        "sparse_softmax_cross_entropy",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([2, 0, 1, 2], x),
        (anything(4, 3),),
        dtypes=FLOATS,
    ),
    Case(
        "sparse_softmax_cross_entropy vector",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(1, x),
        (anything(3),),
    ),
    Case(
        "sparse_softmax_cross_entropy rank 3",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(np.array([[0, 1], [1, 2]]), x),
        (anything(2, 2, 3),),
    ),
    Case(
        "sparse_softmax_cross_entropy extreme",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 2], x),
        (EXTREME_LOGITS,),
        order=0,
    ),
    Case(
        "sparse_softmax_cross_entropy infinite",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 0], x),
        (np.array([[-INF, 1, 2], [-INF, 1, 2]]),),
        order=0,
    ),
    Case(
        "sparse_softmax_cross_entropy empty",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(np.zeros(0, np.int32), x),
        (anything(0, 3),),
    ),
    Case(
        "sigmoid_cross_entropy",
        lambda tf, p, x: tf.nn.sigmoid_cross_entropy_with_logits(p, x),
        (between(0, 1, 2, 3), anything(2, 3)),
        dtypes=FLOATS,
    ),
    Case(
        "sigmoid_cross_entropy extreme",
        lambda tf, p, x: tf.nn.sigmoid_cross_entropy_with_logits(p, x),
        (np.array([0.3, 0.0, 1.0, 0.0, 1.0]), np.array([0.0, 1e4, 1e4, -1e4, -1e4])),
        order=0,
    ),
    Case(
        "sigmoid_cross_entropy empty",
        lambda tf, p, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x),
        (anything(2, 0), anything(2, 0)),
    ),
    Case(
        "sigmoid_cross_entropy scalar",
        lambda tf, p, x: tf.nn.sigmoid_cross_entropy_with_logits(p, x),
        (anything(), anything()),
    ),
]

BAD_INPUT = [
    BadInput(
        "softmax_cross_entropy shapes",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits(tf.ones((3, 3)), tf.ones((2, 3))),
        "logits and labels must be broadcastable: logits_size=[2,3] labels_size=[3,3]",
    ),
    BadInput(
        "softmax_cross_entropy integers",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits([[0, 1]], [[1, 2]]),
        "Value for attr 'T' of int32 is not in the list of allowed values",
    ),
    BadInput(
        "softmax_cross_entropy axis",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits(tf.ones((2, 3)), tf.ones((2, 3)), axis=5),
        "",
    ),
    BadInput(
        "softmax_cross_entropy scalar",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits(tf.ones(()), tf.ones(())),
        "",
    ),
    BadInput(
        "sparse_softmax_cross_entropy label beyond",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 10, 0], tf.ones((3, 10))),
        "Received a label value of 10 which is outside the valid range of [0, 10).  Label values: 1 10 0",
    ),
    BadInput(
        "sparse_softmax_cross_entropy negative label",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([[-1, 4]], tf.ones((1, 2, 3))),
        "Received a label value of -1 which is outside the valid range of [0, 3).  Label values: -1 4",
    ),
    BadInput(
        "sparse_softmax_cross_entropy float labels",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([0.0], tf.ones((1, 3))),
        "Value for attr 'Tlabels' of float is not in the list of allowed values: int32, int64",
    ),
    BadInput(
        "sparse_softmax_cross_entropy rank",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([[0], [1]], tf.ones((2, 3))),
        "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape=(2, 1) of rank 2",
        ValueError,
    ),
    BadInput(
        "sparse_softmax_cross_entropy shape",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 0], tf.ones((2, 3))),
        "`labels.shape` must equal `logits.shape` except for the last dimension. Received: labels.shape=(3,)",
        ValueError,
    ),
    BadInput(
        "sparse_softmax_cross_entropy scalar",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(0, tf.ones(())),
        "`logits` cannot be a scalar.",
        ValueError,
    ),
    BadInput(
        "sparse_softmax_cross_entropy no classes",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 0], tf.ones((2, 0))),
        "Must have at least one class, but got logits shape [2,0]",
    ),
    BadInput(
        "sigmoid_cross_entropy shapes",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(tf.ones(3), tf.ones((2, 3))),
        "`logits` and `labels` must have the same shape, received ((2, 3) vs (3,)).",
        ValueError,
    ),
    BadInput(
        "sigmoid_cross_entropy dtypes",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(tf.ones(3, tf.float64), tf.ones(3)),
        "cannot compute Mul as input #1(zero-based) was expected to be a float tensor but is a double tensor",
    ),
    BadInput(
        "sigmoid_cross_entropy without logits",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0]),
        "Both `labels` and `logits` must be provided for sigmoid_cross_entropy_with_logits",
        ValueError,
    ),
]
