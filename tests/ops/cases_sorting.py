"""Rows for `whygrad.ops.sorting`."""

import numpy as np

from tests.support.cases import BadInput, Case, anything, between
from tests.support.gradients import gradient_in_float32

TIES = np.array([[3.0, 1, 3, 1], [2, 2, 2, 2]])

CASES = [
    Case("sort", lambda tf, x: tf.sort(x), (anything(3, 5),)),
    Case("sort descending", lambda tf, x: tf.sort(x * x, axis=0, direction="DESCENDING"), (anything(3, 5),)),
    # TensorFlow fails in its gradient of no elements.
    Case("sort empty", lambda tf, x: tf.sort(x), (anything(3, 0),), tensorflow=False),
    Case("sort ties", lambda tf, x: tf.sort(x)[:, :2] * [[1.0, 2.0]], (TIES,), order=0),
    Case("sort ties descending", lambda tf, x: tf.sort(x, direction="DESCENDING")[:, :2], (TIES,), order=0),
    Case(
        "sort of ints",
        lambda tf, x: [tf.sort(tf.cast(9 * x, t)) for t in (tf.int8, tf.uint8, tf.int64)],
        (between(0, 9, 3, 5),),
        order=0,
    ),
    Case(
        "sort in half precision", lambda tf, x: tf.sort(x), (anything(3, 5),), order=0, dtypes=("float16", "bfloat16")
    ),
    Case("argsort", lambda tf, x: tf.argsort(x, axis=0), (anything(3, 5),), order=0),
    Case(
        "argsort ties",
        # TensorFlow's gradient for these integers is zeros, through top_k; ours is None, as for all integers.
        lambda tf, x: [
            tf.argsort(tf.stop_gradient(x), direction=direction, stable=True)
            for direction in ("ASCENDING", "DESCENDING")
        ],
        (TIES,),
        order=0,
    ),
    Case("top_k", lambda tf, x: tf.math.top_k(x, 2).values, (anything(3, 5),)),
    Case("top_k of many", lambda tf, x: tf.nn.top_k(x, k=3), (anything(2, 3, 40),)),
    Case("top_k all", lambda tf, x: tf.math.top_k(x * x, 5), (anything(3, 5),)),
    Case(
        "top_k index types",
        # TensorFlow's gradient fails for these.
        lambda tf, x: [tf.math.top_k(tf.stop_gradient(x), 2, index_type=t).indices for t in (tf.int16, tf.int64)],
        (anything(3, 5),),
        order=0,
    ),
    Case("top_k none", lambda tf, x: tf.math.top_k(x, 0).values, (anything(3, 5),), order=0),
    Case("top_k ties", lambda tf, x: tf.math.top_k(x, 3), (TIES,), order=0),
    Case(
        "top_k ties among many",
        lambda tf, x: tf.math.top_k(tf.round(x), 5),
        (anything(4, 60),),
        order=0,
    ),
    Case("top_k of ints", lambda tf, x: tf.math.top_k(tf.cast(9 * x, tf.int8), 4), (anything(2, 30),), order=0),
    Case(
        "top_k in half precision",
        lambda tf, x: tf.math.top_k(x, 2),
        (anything(3, 20),),
        order=0,
        dtypes=("float16", "bfloat16"),
    ),
    Case(
        "in_top_k",
        # TensorFlow raises a LookupError: it has no gradient for this op.
        lambda tf, x: tf.math.in_top_k([0, 4, 7], tf.cast(tf.stop_gradient(x), tf.float32), k=2),
        (anything(3, 5),),
        order=0,
    ),
    Case(
        "in_top_k counts those before",
        lambda tf, x: tf.math.in_top_k([0, 1, 2], tf.cast(tf.stop_gradient(x), tf.float32), k=2),
        (np.array([[1.0, 2, 3], [1, 2, 3], [3, 2, 1]]),),
        order=0,
    ),
    Case(
        "in_top_k corners",
        lambda tf, x: tf.nn.in_top_k(tf.constant([0, 1, 1, 1], tf.int64), tf.cast(tf.stop_gradient(x), tf.float32), 1),
        (np.array([[np.inf, 1], [np.nan, 1], [-np.inf, 1], [1, 1]]),),
        order=0,
    ),
    Case("searchsorted", lambda tf, x: tf.searchsorted(tf.sort(x), tf.sort(x)[:, 1:3]), (anything(3, 5),), order=0),
    Case(
        "searchsorted right",
        lambda tf, x: tf.searchsorted([0.0, 0, 1, 1], tf.cast(tf.round(x), tf.float32), "right", out_type=tf.int64),
        (anything(9),),
        order=0,
    ),
    Case(
        "searchsorted empty",
        lambda tf, x: (tf.searchsorted(x, tf.ones((2,), x.dtype)), tf.searchsorted(tf.ones((2,), x.dtype), x)),
        (anything(0),),
        order=0,
    ),
    Case(
        "is_non_decreasing",
        lambda tf, x: [
            f(t)
            for f in (tf.math.is_non_decreasing, tf.math.is_strictly_increasing)
            for t in (x, tf.sort(x), x[:0], x * 0)
        ],
        (anything(5),),
        order=0,
    ),
    Case("unique", lambda tf, x: tf.unique(tf.cast(x, tf.int32)), (anything(9),), order=0, compiled=False),
    Case(
        "unique nan",
        lambda tf, x: tf.unique(tf.stop_gradient(x)),
        (np.array([1, np.nan, np.nan, 1, 0.0, -0.0]),),
        order=0,
        compiled=False,
    ),
    Case("unique strings", lambda tf, x: tf.unique(["b", "a", "b"]), (anything(1),), order=0),
    Case("unique empty", lambda tf, x: tf.unique(tf.zeros((0,), tf.bool)), (anything(1),), order=0),
    Case(
        "unique_with_counts",
        lambda tf, x: tf.unique_with_counts(tf.cast(x, tf.int32), out_idx=tf.int64),
        (anything(9),),
        order=0,
        compiled=False,
    ),
    Case(
        "unique slices",
        lambda tf, x: [
            each
            for axis in (0, 1, -1)
            for each in tf.raw_ops.UniqueWithCountsV2(x=tf.cast(x > 0, tf.int32), axis=[axis], out_idx=tf.int64)
        ],
        (anything(9, 2, 2),),
        order=0,
        compiled=False,
    ),
    Case(
        "unique slices without an axis",
        lambda tf, x: tf.raw_ops.UniqueV2(x=tf.cast(x, tf.int32), axis=tf.zeros((0,), tf.int64)),
        (anything(9),),
        order=0,
        compiled=False,
    ),
    Case(
        "bucketize",
        lambda tf, x: (
            tf.raw_ops.Bucketize(input=tf.stop_gradient(x), boundaries=[-1.0, 0.0, 1.0]),
            tf.raw_ops.Bucketize(input=tf.cast(x, tf.int32), boundaries=[0.0, 1.0]),
        ),
        (anything(3, 4),),
        order=0,
    ),
    Case(
        "unravel_index",
        lambda tf, x: (
            tf.unravel_index([2, 5, 11], [2, 3, 2]),
            tf.unravel_index(tf.constant(5, tf.int64), tf.constant([3, 3], tf.int64)),
        ),
        (anything(1),),
        order=0,
    ),
]

BAD_INPUT = [
    BadInput("sort scalar", lambda tf: tf.sort(1.0), "slice index -1 of dimension 0 out of bounds."),
    BadInput("sort axis", lambda tf: tf.sort(tf.ones((2, 2)), axis=5), "slice index 5 of dimension 0 out of bounds."),
    BadInput(
        "sort bool", lambda tf: tf.sort([True]), "Value for attr 'T' of bool is not in the list of allowed values"
    ),
    BadInput("top_k scalar", lambda tf: tf.math.top_k(1.0), "input must be >= 1-D, got shape []"),
    BadInput("top_k wide", lambda tf: tf.math.top_k([1.0], 3), "input must have at least k columns. Had 1, needed 3"),
    BadInput("top_k negative", lambda tf: tf.math.top_k([1.0], -1), "Need k >= 0, got -1"),
    BadInput("top_k vector", lambda tf: tf.math.top_k([1.0], [1]), "k must be scalar, got shape [1]"),
    BadInput(
        "top_k float",
        lambda tf: tf.math.top_k(tf.ones(1), 1.0),
        "Cannot convert 1.0 to EagerTensor of dtype int32",
        TypeError,
    ),
    BadInput(
        "in_top_k rows",
        lambda tf: tf.math.in_top_k([0], [[0.1], [0.2]], 1),
        "First dimension of predictions 2 must match length of targets 1",
    ),
    BadInput("in_top_k rank", lambda tf: tf.math.in_top_k([0], [0.1], 1), "predictions must be 2-dimensional"),
    BadInput("in_top_k targets", lambda tf: tf.math.in_top_k([[0]], [[0.1]], 1), "targets must be 1-dimensional"),
    BadInput(
        "searchsorted rows",
        lambda tf: tf.searchsorted([[1, 2], [3, 4]], [[1], [2], [3]]),
        "Leading dim_size of both tensors must match.",
    ),
    BadInput(
        "searchsorted side",
        lambda tf: tf.searchsorted([1], [1], side="x"),
        "Argument `side` must be either 'right' or 'left'. Received: `side` = 'x'.",
        error=ValueError,
    ),
    BadInput(
        "searchsorted dtypes",
        lambda tf: tf.searchsorted([1.0], tf.constant([1])),
        "cannot compute LowerBound as input #1(zero-based) was expected to be a float tensor but is a int32 tensor",
    ),
    BadInput(
        "is_non_decreasing of bool",
        lambda tf: tf.math.is_non_decreasing([True, False]),
        "Expected x to be numeric, instead found",
        error=TypeError,
    ),
    BadInput("unique matrix", lambda tf: tf.unique([[1, 2]]), "unique expects a 1D vector."),
    BadInput(
        "no gradient of unique",
        lambda tf: gradient_in_float32(tf, lambda x: tf.unique(x)[0], [1.0, 2.0, 1.0]),
        "gradient registry has no entry for: Unique",
        LookupError,
    ),
    BadInput(
        "no gradient of unique_with_counts",
        lambda tf: gradient_in_float32(tf, lambda x: tf.unique_with_counts(x).y, [1.0, 2.0, 1.0]),
        "gradient registry has no entry for: UniqueWithCounts",
        LookupError,
    ),
    BadInput(
        "unique slices along no axis",
        lambda tf: tf.raw_ops.UniqueV2(x=[[1, 2]], axis=tf.zeros((0,), tf.int64)),
        "unique expects a 1D vector.",
    ),
    BadInput(
        "unique slices of an axis that is not there",
        lambda tf: tf.raw_ops.UniqueV2(x=[[1, 2]], axis=[2]),
        "",
    ),
    BadInput(
        "unique slices along two axes",
        lambda tf: tf.raw_ops.UniqueV2(x=[[1, 2]], axis=[0, 1]),
        "axis does not support input tensors larger than 1 elements",
    ),
    BadInput(
        "no gradient of unique slices",
        lambda tf: gradient_in_float32(tf, lambda x: tf.raw_ops.UniqueV2(x=x, axis=[0])[0], [1.0, 2.0, 1.0]),
        "gradient registry has no entry for: UniqueV2",
        LookupError,
    ),
    BadInput(
        "no gradient of unique slices with counts",
        lambda tf: gradient_in_float32(tf, lambda x: tf.raw_ops.UniqueWithCountsV2(x=x, axis=[0])[0], [1.0, 2.0, 1.0]),
        "gradient registry has no entry for: UniqueWithCountsV2",
        LookupError,
    ),
    BadInput(
        "bucketize unsorted",
        lambda tf: tf.raw_ops.Bucketize(input=[1.0], boundaries=[2.0, 1.0]),
        "Expected sorted boundaries",
    ),
    BadInput(
        "bucketize bool", lambda tf: tf.raw_ops.Bucketize(input=[True], boundaries=[2.0]), "Value for attr 'T' of bool"
    ),
    BadInput(
        "unravel_index of too many",
        lambda tf: tf.unravel_index(3, [2**30, 2**30]),
        "Input dims product is causing integer overflow",
    ),
    BadInput("unravel_index outside", lambda tf: tf.unravel_index([9], [3, 3]), "index is out of bound as with dims"),
    BadInput(
        "unravel_index zero",
        lambda tf: tf.unravel_index([0], [0, 3]),
        "Input dims cannot contain a dim of zero, but dims contains zero at index 0",
    ),
    BadInput(
        "unravel_index matrix",
        lambda tf: tf.unravel_index([[1, 2]], [3, 3]),
        'The indices can only be scalar or vector, got "[1,2]"',
    ),
    BadInput(
        "sort direction",
        lambda tf: tf.sort([1.0], direction="UP"),
        "Argument `direction` should be one of ASCENDING, DESCENDING. Received: direction=UP",
        error=ValueError,
    ),
]
