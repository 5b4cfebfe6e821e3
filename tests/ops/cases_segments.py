"""Rows for `whygrad.ops.segments`."""

import numpy as np

from tests.support.cases import BadInput, Case, anything, positive

X = anything(5, 2)
SORTED = [0, 0, 1, 3, 3]
UNSORTED = [3, 0, -1, 3, 0]
TIES = np.array([3.0, 3.0, 1.0, 2.0, 2.0])

CASES = [
    Case("segment_sum", lambda tf, x: tf.math.segment_sum(x, SORTED), (X,), complex=True),
    Case("segment_mean", lambda tf, x: tf.math.segment_mean(x, SORTED), (X,), complex=True),
    Case("segment_prod", lambda tf, x: tf.math.segment_prod(x, SORTED), (positive(5, 2),)),
    # TensorFlow forgets the conjugate here: its gradient is not that of finite differences.
    Case("segment_prod complex", lambda tf, x: tf.math.segment_prod(x, SORTED), (X,), complex=True, tensorflow=False),
    Case("segment_max", lambda tf, x: tf.math.segment_max(x, SORTED), (X,)),
    Case("segment_min", lambda tf, x: tf.math.segment_min(x, SORTED), (X,)),
    Case(
        "segment_max and segment_min of infinities",
        lambda tf: [
            f(tf.constant([-np.inf, -np.inf, 1.0, np.inf, np.inf]) * sign, [0, 0, 2, 3, 3])
            for f in (tf.math.segment_max, tf.math.segment_min)
            for sign in (1.0, -1.0)
        ],
        (),
        order=0,
    ),
    Case("segment_max ties", lambda tf, x: tf.math.segment_max(x, SORTED), (TIES,), order=0),
    Case("segment_min ties", lambda tf, x: tf.math.segment_min(x, SORTED), (TIES,), order=0),
    Case(
        "segment_prod zeros",
        lambda tf, x: tf.math.segment_prod(x, [0, 0, 1, 1, 1]),
        (np.array([0.0, 2.0, 0.0, 0.0, 3.0]),),
        order=0,
    ),
    Case("segment_sum int64", lambda tf, x: tf.math.segment_sum(x, tf.constant(SORTED, tf.int64)), (anything(5),)),
    *[
        Case(
            f"{name} empty",
            lambda tf, x, name=name: getattr(tf.math, name)(x, tf.zeros([0], tf.int32)),
            (anything(0, 2),),
        )
        for name in ("segment_sum", "segment_mean", "segment_prod", "segment_max", "segment_min")
    ],
    Case("segment_mean of ints", lambda tf: tf.math.segment_mean(tf.constant([1, 2, -4, -3, 5]), SORTED), (), order=0),
    Case("segment_max of ints", lambda tf: tf.math.segment_max(tf.constant([1, 2, -4, -3, 5]), SORTED), (), order=0),
    Case("unsorted_segment_sum", lambda tf, x: tf.math.unsorted_segment_sum(x, UNSORTED, 5), (X,), complex=True),
    Case(
        "unsorted_segment_sum of elements",
        lambda tf, x: tf.math.unsorted_segment_sum(x, [[0, 1], [1, 2], [2, 2], [0, -1], [0, 0]], 4),
        (X,),
    ),
    Case("unsorted_segment_sum whole", lambda tf, x: tf.math.unsorted_segment_sum(x, 1, 3), (X,)),
    Case("unsorted_segment_mean", lambda tf, x: tf.math.unsorted_segment_mean(x, UNSORTED, 5), (X,)),
    Case("unsorted_segment_sqrt_n", lambda tf, x: tf.math.unsorted_segment_sqrt_n(x, UNSORTED, 5), (X,)),
    Case("unsorted_segment_prod", lambda tf, x: tf.math.unsorted_segment_prod(x, UNSORTED, 5), (positive(5, 2),)),
    Case(
        "unsorted_segment_prod complex",  # as above
        lambda tf, x: tf.math.unsorted_segment_prod(x, UNSORTED, 5),
        (X,),
        complex=True,
        tensorflow=False,
    ),
    Case("unsorted_segment_max", lambda tf, x: tf.math.unsorted_segment_max(x, UNSORTED, 4)[::3], (X,)),
    Case("unsorted_segment_min", lambda tf, x: tf.math.unsorted_segment_min(x, UNSORTED, 4)[::3], (X,)),
    Case("unsorted_segment_max ties", lambda tf, x: tf.math.unsorted_segment_max(x, UNSORTED, 5), (TIES,), order=0),
    Case("unsorted_segment_min ties", lambda tf, x: tf.math.unsorted_segment_min(x, UNSORTED, 5), (TIES,), order=0),
    Case(
        "unsorted_segment_prod zeros",
        lambda tf, x: tf.math.unsorted_segment_prod(x, [1, 0, -1, 1, 0], 3),
        (np.array([0.0, 2.0, 0.0, 0.0, 0.0]),),
        order=0,
    ),
    *[
        Case(
            f"{name} empty",
            lambda tf, x, name=name: getattr(tf.math, name)(x, tf.zeros([0], tf.int32), 3),
            (anything(0, 2),),
        )
        for name in (
            "unsorted_segment_sum",
            "unsorted_segment_mean",
            "unsorted_segment_prod",
            "unsorted_segment_sqrt_n",
        )
    ],
    *[
        Case(f"{name} all left out", lambda tf, x, name=name: getattr(tf.math, name)(x, [-1] * 5, 2), (X,), order=0)
        for name in ("unsorted_segment_sum", "unsorted_segment_max", "unsorted_segment_prod", "unsorted_segment_mean")
    ],
    # TensorFlow computes it, but raises when its gradient is taken.
    Case(
        "unsorted_segment_sum no segments",
        lambda tf, x: tf.math.unsorted_segment_sum(x, [-1] * 5, 0),
        (X,),
        tensorflow=False,
    ),
    Case(
        "unsorted_segment_mean of ints", lambda tf: tf.math.unsorted_segment_mean([1, 2, 4], [0, 0, 1], 2), (), order=0
    ),
    Case("unsorted_segment_max of ints", lambda tf: tf.math.unsorted_segment_max([1, 2, 4], [0, 2, 0], 4), (), order=0),
    Case(
        "unsorted_segment_min of uint8",
        lambda tf: tf.math.unsorted_segment_min(tf.constant([1, 2, 4], tf.uint8), [0, 2, 0], 4),
        (),
        order=0,
    ),
    *[
        Case(
            f"unsorted_segment_max of {dtype}",
            lambda tf, dtype=dtype: tf.math.unsorted_segment_max(tf.constant([1, 2, 4], dtype), [0, 2, 0], 4),
            (),
            order=0,
        )
        for dtype in ("float16", "bfloat16")
    ],
    Case("sparse segment_sum", lambda tf, x: tf.sparse.segment_sum(x, [4, 0, 0, 2], [0, 0, 2, 2]), (X,)),
    Case("sparse segment_mean", lambda tf, x: tf.sparse.segment_mean(x, [4, 0, 0, 2], [0, 0, 2, 2]), (X,)),
    Case("sparse segment_sqrt_n", lambda tf, x: tf.sparse.segment_sqrt_n(x, [4, 0, 0, 2], [0, 0, 2, 2]), (X,)),
    Case(
        "sparse segments, their number given",
        lambda tf, x: [
            function(x, tf.constant([4, 0, 0], tf.int64), tf.constant([0, 1, 1], tf.int64), num_segments=3)
            for function in (tf.sparse.segment_sum, tf.sparse.segment_mean, tf.sparse.segment_sqrt_n)
        ],
        (X,),
    ),
    Case(
        "sparse segment_sum of none",
        lambda tf, x: tf.sparse.segment_sum(x, [], [], num_segments=2),
        (X,),
        tensorflow=False,  # its gradient is memory that nothing wrote to
    ),
    Case("sparse segment_sum of ints", lambda tf: tf.sparse.segment_sum([[1], [2]], [1, 1, 0], [0, 0, 1]), (), order=0),
]


def _x(tf):
    return tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


BAD_INPUT = [
    BadInput(
        "segment_sum unsorted", lambda tf: tf.math.segment_sum(_x(tf), [1, 0, 2]), "segment ids are not increasing"
    ),
    BadInput(
        "segment_sum negative", lambda tf: tf.math.segment_sum(_x(tf), [-1, 0, 2]), "Segment id -1 out of range [0, 3)"
    ),
    BadInput(
        "segment_sum back to the first",
        lambda tf: tf.math.segment_sum([1, 2, 3, 4], [0, 1, 2, 0]),
        "Segment id 1 out of range [0, 1), possibly because 'segment_ids' input is not sorted.",
    ),
    BadInput("segment_sum last negative", lambda tf: tf.math.segment_sum([1, 2], [0, -1]), "segment ids must be >= 0"),
    BadInput(
        "segment_sum huge",
        lambda tf: tf.math.segment_sum(np.ones((1, 10, 1)), [1676240524292489355]),
        "",  # TensorFlow's sentence is about the size of a tensor, ours about memory
    ),
    BadInput(
        "segment_max size",
        lambda tf: tf.math.segment_max(_x(tf), [0, 0]),
        "segment_ids should be the same size as dimension 0 of input.",
    ),
    BadInput(
        "segment_sum rank", lambda tf: tf.math.segment_sum(_x(tf), [[0], [1], [2]]), "segment_ids should be a vector."
    ),
    BadInput("segment_sum of a scalar", lambda tf: tf.math.segment_sum(3.0, [0]), "input must be at least rank 1"),
    BadInput(
        "segment_sum float",
        lambda tf: tf.math.segment_sum(_x(tf), [0.0, 1.0, 2.0]),
        "Value for attr 'Tindices' of float",
    ),
    BadInput("segment_max of complex", lambda tf: tf.math.segment_max([1j], [0]), "Value for attr 'T' of complex128"),
    BadInput("segment_sum of bool", lambda tf: tf.math.segment_sum([True], [0]), "Value for attr 'T' of bool"),
    BadInput(
        "unsorted_segment_sum outside",
        lambda tf: tf.math.unsorted_segment_sum(_x(tf), [0, 9, 0], 4),
        "segment_ids[1] = 9 is out of range [0, 4)",
    ),
    BadInput(
        "unsorted_segment_sum shape",
        lambda tf: tf.math.unsorted_segment_sum(_x(tf), [0, 1], 4),
        "data.shape = [3,2] does not start with segment_ids.shape = [2]",
    ),
    BadInput(
        "unsorted_segment_sum count",
        lambda tf: tf.math.unsorted_segment_sum(_x(tf), [-1] * 3, -1),
        "Input num_segments == -1 must not be negative.",
    ),
    BadInput(
        "unsorted_segment_sum counts",
        lambda tf: tf.math.unsorted_segment_sum(_x(tf), [0, 1, 1], [2]),
        "num_segments should be a scalar, not shape [1]",
    ),
    BadInput(
        "unsorted_segment_mean of complex",
        lambda tf: tf.math.unsorted_segment_mean([1j], [0], 1),
        "Value for attr 'T' of complex128",
    ),
    BadInput(
        "unsorted_segment_sqrt_n of ints",
        lambda tf: tf.math.unsorted_segment_sqrt_n([1], [0], 1),
        "Value for attr 'T' of int32",
    ),
    BadInput(
        "sparse segment_sum unsorted",
        lambda tf: tf.sparse.segment_sum(_x(tf), [0, 1], [1, 0]),
        "segment ids are not increasing",
    ),
    BadInput(
        "sparse segment_sum out of range",
        lambda tf: tf.sparse.segment_sum(_x(tf), [0, 9], [0, 0]),
        "Bad: indices[1] == 9 out of range [0, 3)",
    ),
    BadInput(
        "sparse segment_mean of too many segments",
        lambda tf: tf.sparse.segment_mean(_x(tf), [0, 1], [0, 3], num_segments=3),
        "segment ids must be < num_segments",
    ),
    BadInput(
        "sparse segment_mean of two lengths",
        lambda tf: tf.sparse.segment_mean(_x(tf), [0], [0, 3]),
        "segment_ids and indices should have same size.",
    ),
    BadInput(
        "sparse segment_sqrt_n of a scalar",
        lambda tf: tf.sparse.segment_sqrt_n(1.0, [0], [0]),
        "Shape must be at least rank 1",
    ),
    BadInput(
        "sparse segment_sqrt_n of matrices of indices",
        lambda tf: tf.sparse.segment_sqrt_n(_x(tf), [[0]], [[0]]),
        "indices should be a vector.",
    ),
]
