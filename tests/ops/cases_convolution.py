"""Rows for convolution and pooling.

TensorFlow on a CPU leaves out some of what its own documentation has (NCHW in float64, dilated transposes): such rows are
compared in the dtypes it takes, or checked against finite differences alone.
"""

import numpy as np

from tests.support.cases import Case, anything

HALVES = ("float16", "bfloat16", "float32", "float64")
ONE = [1, 1, 1, 1]


def conv2d(name, x, w, *args, order=2, **kwargs):
    """A row for conv2d; `tensorflow`, `dtypes` and the like go to the row, the rest to the op."""
    row = {k: kwargs.pop(k) for k in ("dtypes", "tensorflow", "second", "rtol") if k in kwargs}
    return Case(f"conv2d {name}", lambda tf, x, w: tf.nn.conv2d(x, w, *args, **kwargs), (x, w), order=order, **row)


CASES = [
    conv2d("valid", anything(2, 5, 6, 3), anything(3, 2, 3, 4), 1, "VALID", dtypes=HALVES),
    conv2d("same", anything(2, 5, 6, 3), anything(3, 3, 3, 4), 1, "SAME"),
    conv2d("same, even taps", anything(2, 5, 4, 1), anything(2, 4, 1, 2), 1, "SAME"),
    conv2d("strides", anything(2, 7, 6, 2), anything(3, 3, 2, 2), [2, 3], "SAME"),
    conv2d("strides beyond the taps", anything(2, 7, 7, 2), anything(2, 1, 2, 2), 3, "VALID"),
    conv2d("dilations", anything(1, 7, 8, 2), anything(3, 2, 2, 3), 1, "SAME", dilations=[2, 3], dtypes=("float32",)),
    conv2d("a single tap", anything(2, 3, 4, 3), anything(1, 1, 3, 2), 1, "VALID"),
    conv2d("a single tap, strides", anything(2, 5, 4, 3), anything(1, 1, 3, 2), 2, "SAME"),
    conv2d("explicit padding", anything(1, 4, 4, 2), anything(3, 2, 2, 2), 1, [[0, 0], [2, 1], [0, 3], [0, 0]]),
    conv2d("groups", anything(2, 4, 4, 4), anything(3, 3, 2, 6), 1, "SAME", dtypes=("float32",)),
    conv2d("as large as the input", anything(2, 4, 4, 2), anything(4, 4, 2, 3), 1, "VALID"),
    conv2d(
        "NCHW",
        anything(2, 3, 5, 6),
        anything(3, 3, 3, 4),
        [1, 1, 2, 1],
        "SAME",
        data_format="NCHW",
        dtypes=("float32",),
    ),
    Case(
        "max_pool2d",
        lambda tf, x: tf.nn.max_pool2d(x, 2, 2, "VALID"),
        (anything(2, 5, 6, 3),),
        dtypes=HALVES,
    ),
    Case("max_pool2d overlapping", lambda tf, x: tf.nn.max_pool2d(x, 3, [2, 1], "SAME"), (anything(2, 5, 6, 2),)),
    Case("max_pool2d ties", lambda tf, x: tf.nn.max_pool2d(x, 2, 1, "VALID"), (np.zeros((1, 3, 3, 1)),), order=0),
    Case("avg_pool2d", lambda tf, x: tf.nn.avg_pool2d(x, 2, 2, "VALID"), (anything(2, 5, 6, 3),), dtypes=HALVES),
    Case("avg_pool2d overlapping", lambda tf, x: tf.nn.avg_pool2d(x, 3, [2, 1], "SAME"), (anything(2, 5, 6, 2),)),
    Case(
        "max_pool_with_argmax",
        lambda tf, x: tf.nn.max_pool_with_argmax(x, 2, 1, "SAME", include_batch_in_index=True),
        (anything(2, 4, 3, 2),),
        second=False,
    ),
]
BAD_INPUT = []
