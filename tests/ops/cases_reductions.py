"""Rows for `whygrad.ops.reductions` and `whygrad.ops.cumulative`."""

import numpy as np

from tests.support.cases import BadInput, Case, anything

CASES = [
    Case("reduce_sum", lambda tf, x: tf.reduce_sum(x, axis=1), (anything(2, 3, 2),), complex=True),
    Case("reduce_sum all", lambda tf, x: tf.reduce_sum(x), (anything(2, 3),), complex=True),
    Case("reduce_sum large", lambda tf, x: tf.reduce_sum(x * x, axis=0), (anything(40, 50),)),
    Case("reduce_sum keepdims", lambda tf, x: tf.reduce_sum(x, axis=[-1, 0], keepdims=True), (anything(2, 3, 2),)),
    Case("reduce_sum nothing", lambda tf, x: tf.reduce_sum(x, axis=[]), (anything(2, 3),)),
    Case("reduce_sum empty", lambda tf, x: tf.reduce_sum(x, axis=0), (anything(0, 3),)),
    Case("reduce_mean", lambda tf, x: tf.reduce_mean(x, axis=-1), (anything(2, 3, 2),), complex=True),
    Case("reduce_mean all", lambda tf, x: tf.reduce_mean(x), (anything(2, 3),)),
    Case("reduce_mean empty", lambda tf, x: tf.reduce_mean(x, axis=0), (anything(0, 3),), order=0),
    Case("reduce_prod", lambda tf, x: tf.reduce_prod(x, axis=1), (anything(2, 3, 2),), complex=True),
    Case("reduce_prod all", lambda tf, x: tf.reduce_prod(x), (anything(3, 3),)),
    Case("reduce_prod two axes", lambda tf, x: tf.reduce_prod(x, axis=[0, 2], keepdims=True), (anything(2, 3, 2),)),
    Case("reduce_prod empty", lambda tf, x: tf.reduce_prod(x, axis=0), (anything(0, 3),)),
    # TensorFlow's second derivative is 0 in the rows of a zero; the right one is checked by finite differences.
    Case(
        "reduce_prod zeros",
        lambda tf, x: tf.reduce_prod(x, axis=1),
        (np.array([[0.0, 2, 3], [0, 0, 3.0]]),),
        second=False,
    ),
    Case("reduce_max", lambda tf, x: tf.reduce_max(x, axis=1), (anything(2, 3, 2),)),
    Case("reduce_max all", lambda tf, x: tf.reduce_max(x), (anything(4, 3),)),
    Case("reduce_max ties", lambda tf, x: tf.reduce_max(x, axis=0), (np.array([[1.0, 2], [1, 3], [1, 3]]),), order=0),
    Case("reduce_max nan", lambda tf, x: tf.reduce_max(x), (np.array([1.0, np.nan, 2]),), order=0),
    Case("reduce_max empty", lambda tf, x: tf.reduce_max(x, axis=0), (anything(0, 3),), order=0),
    Case("reduce_min", lambda tf, x: tf.reduce_min(x, axis=[0, -1], keepdims=True), (anything(2, 3, 2),)),
    Case("reduce_min ties", lambda tf, x: tf.reduce_min(x), (np.array([[1.0, 2], [1, 3], [1, 3]]),), order=0),
    Case("reduce_min empty", lambda tf, x: tf.reduce_min(x, axis=0), (anything(0, 3),), order=0),
    Case("argmax", lambda tf, x: tf.argmax(x, axis=1), (anything(2, 5),), order=0),
    Case("argmin", lambda tf, x: tf.argmin(x), (anything(2, 5),), order=0),
    Case("softmax", lambda tf, x: tf.nn.softmax(x), (anything(3, 4),)),
    Case("softmax axis", lambda tf, x: tf.nn.softmax(x, axis=0), (anything(3, 4),)),
    Case("softmax empty", lambda tf, x: tf.nn.softmax(x), (anything(3, 0),)),
    Case("softmax infinite", lambda tf, x: tf.nn.softmax(x), (np.array([[-np.inf, 1, 2], [np.inf, 1, 2]]),), order=0),
    Case("log_softmax", lambda tf, x: tf.nn.log_softmax(x), (anything(3, 4),)),
    Case("log_softmax axis", lambda tf, x: tf.nn.log_softmax(x, axis=-2), (anything(3, 4),)),
    Case("cumsum", lambda tf, x: tf.cumsum(x, axis=1), (anything(2, 4),), complex=True),
    Case("cumsum exclusive", lambda tf, x: tf.cumsum(x, axis=-2, exclusive=True), (anything(2, 4),)),
    Case("cumsum reverse", lambda tf, x: tf.cumsum(x * x, exclusive=True, reverse=True), (anything(4),)),
    Case("cumsum empty", lambda tf, x: tf.cumsum(x, exclusive=True), (anything(0, 4),)),
]

BAD_INPUT = [
    BadInput(
        "reduce_sum axis",
        lambda tf: tf.reduce_sum(tf.ones((2, 2)), axis=5),
        "Invalid reduction dimension (5 for input with 2 dimension(s)",
    ),
    BadInput(
        "reduce_sum duplicate axes",
        lambda tf: tf.reduce_sum(tf.ones((2, 2)), axis=[0, -2]),
        "Invalid reduction arguments: Axes contains duplicate dimension: 0",
    ),
    BadInput(
        "reduce_mean bool",
        lambda tf: tf.reduce_mean(tf.constant([True])),
        "Value for attr 'T' of bool is not in the list of allowed values",
    ),
    BadInput(
        "reduce_max axis of floats",
        lambda tf: tf.reduce_max(tf.ones((2, 2)), axis=1.0),
        "Cannot convert 1.0 to EagerTensor of dtype int32",
        error=TypeError,
    ),
    BadInput(
        "argmax axis",
        lambda tf: tf.argmax(tf.ones((2, 2)), axis=2),
        "Expected dimension in the range [-2, 2), but got 2",
    ),
    BadInput("argmax empty", lambda tf: tf.argmax(tf.zeros((0, 2))), "Reduction axis 0 is empty in shape [0,2]"),
    BadInput(
        "softmax axis",
        lambda tf: tf.nn.softmax(tf.ones((2, 2)), axis=3),
        "`dim` must be in the range [-2, 2) where 2 is the number of dimensions in the input. Received: dim=3",
    ),
    BadInput(
        "softmax int",
        lambda tf: tf.nn.softmax([1, 2]),
        "Value for attr 'T' of int32 is not in the list of allowed values",
    ),
    BadInput(
        "cumsum axis",
        lambda tf: tf.cumsum(tf.ones((2, 2)), axis=2),
        "ScanOp: Expected scan axis in the range [-2, 2), but got 2",
    ),
]
