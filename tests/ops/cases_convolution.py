"""Rows for convolution and pooling.

TensorFlow on a CPU leaves out some of what its own documentation has (NCHW in float64, dilated transposes): such rows are
compared in the dtypes it takes, or checked against finite differences alone.
"""

import numpy as np

from tests.support.cases import BadInput, Case, anything

HALVES = ("float16", "bfloat16", "float32", "float64")
ONE = [1, 1, 1, 1]


def conv2d(name, x, w, *args, order=2, **kwargs):
    """A row for conv2d; `tensorflow`, `dtypes` and the like go to the row, the rest to the op."""
    row = {k: kwargs.pop(k) for k in ("dtypes", "tensorflow", "second", "rtol") if k in kwargs}
    return Case(f"conv2d {name}", lambda tf, x, w: tf.nn.conv2d(x, w, *args, **kwargs), (x, w), order=order, **row)


def gradient_of(tf, function, *sources):
    """The gradient of the squares, as an op to be differentiated: its rules are those of second order."""
    with tf.GradientTape() as tape:
        tape.watch(sources)
        squares = function(*sources) ** 2
    return tape.gradient(squares, sources)


CASES = [
    Case(
        "conv3d in groups",
        # TensorFlow takes groups here only where XLA compiles it.
        lambda tf, x, w: tf.nn.conv3d(x, w, [1, 1, 2, 1, 1], "SAME"),
        (anything(2, 3, 4, 3, 4), anything(2, 2, 1, 2, 6)),
        tensorflow=False,
    ),
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
    Case(
        "pooling by windows larger than the input",
        lambda tf, x: (tf.nn.max_pool2d(x, 100_001, 1, "SAME"), tf.nn.avg_pool2d(x, [5, 70_000], [3, 2], "SAME")),
        (anything(1, 4, 3, 2),),
        tensorflow=False,  # which walks over all of the window
        compiled=False,  # and so does XLA
    ),
    Case("max_pool2d ties", lambda tf, x: tf.nn.max_pool2d(x, 2, 1, "VALID"), (np.zeros((1, 3, 3, 1)),), order=0),
    Case("avg_pool2d", lambda tf, x: tf.nn.avg_pool2d(x, 2, 2, "VALID"), (anything(2, 5, 6, 3),), dtypes=HALVES),
    Case("avg_pool2d overlapping", lambda tf, x: tf.nn.avg_pool2d(x, 3, [2, 1], "SAME"), (anything(2, 5, 6, 2),)),
    Case(
        "max_pool_with_argmax",
        lambda tf, x: tf.nn.max_pool_with_argmax(x, 2, 1, "SAME", include_batch_in_index=True),
        (anything(2, 4, 3, 2),),
        second=False,
    ),
    Case(
        "max_pool2d explicit padding",
        lambda tf, x: tf.nn.max_pool2d(x, [1, 3, 2, 1], 2, [[0, 0], [2, 1], [0, 1], [0, 0]]),
        (anything(2, 5, 6, 2),),
        second=False,
    ),
    Case(
        "max_pool2d across channels",
        lambda tf, x: tf.nn.max_pool2d(x, [1, 1, 1, 2], [1, 1, 1, 2], "SAME"),
        (anything(2, 3, 2, 6),),
        tensorflow=False,
    ),
    Case(
        "max_pool2d strides beyond the window", lambda tf, x: tf.nn.max_pool2d(x, 2, 3, "SAME"), (anything(1, 8, 8, 2),)
    ),
    Case(
        "avg_pool2d strides beyond the window", lambda tf, x: tf.nn.avg_pool2d(x, 2, 3, "SAME"), (anything(1, 8, 8, 2),)
    ),
    Case(
        "max_pool2d NCHW",
        lambda tf, x: tf.nn.max_pool2d(x, [1, 1, 2, 3], [1, 1, 2, 1], "SAME", "NCHW"),
        (anything(2, 3, 5, 4),),
        tensorflow=False,  # not on a CPU
    ),
    Case(
        "avg_pool2d NCHW",
        lambda tf, x: tf.nn.avg_pool2d(x, [2, 3], [2, 1], "SAME", "NCHW"),
        (anything(2, 3, 5, 4),),
        tensorflow=False,  # not on a CPU
    ),
    Case("max_pool1d", lambda tf, x: tf.nn.max_pool1d(x, 3, 2, "SAME"), (anything(2, 6, 2),)),
    Case(
        "max_pool1d explicit padding",
        lambda tf, x: tf.nn.max_pool1d(x, [1, 3, 1], [2], [[0, 0], [1, 2], [0, 0]]),
        (anything(2, 6, 2),),
        second=False,
    ),
    Case("avg_pool1d", lambda tf, x: tf.nn.avg_pool1d(x, 3, 2, "SAME"), (anything(2, 6, 2),)),
    # TensorFlow's pooling over three axes has no float64 on a CPU.
    Case(
        "max_pool3d",
        lambda tf, x: tf.nn.max_pool3d(x, 2, [2, 1, 2], "SAME"),
        (anything(1, 3, 4, 3, 2),),
        dtypes=("float32",),
    ),
    Case(
        "max_pool3d ties",
        lambda tf, x: tf.nn.max_pool3d(x, 2, 1, "VALID"),
        (np.zeros((1, 3, 3, 2, 1)),),
        order=0,
        dtypes=("float32",),
    ),
    Case(
        "avg_pool3d",
        lambda tf, x: tf.nn.avg_pool3d(x, [2, 2, 1], 2, "SAME"),
        (anything(1, 3, 4, 3, 2),),
        dtypes=("float32",),
    ),
    Case("max_pool of rank 3", lambda tf, x: tf.nn.max_pool(x, 2, 2, "VALID"), (anything(2, 5, 2),)),
    Case(
        "max_pool of rank 4",
        lambda tf, x: tf.nn.max_pool(x, [2, 1], [1, 2], "SAME", data_format="NHWC"),
        (anything(2, 5, 4, 2),),
    ),
    Case(
        "max_pool of rank 5",
        lambda tf, x: tf.nn.max_pool(x, 2, 2, "VALID", "NDHWC"),
        (anything(2, 4, 4, 2, 1),),
        dtypes=("float32",),
    ),
    Case("avg_pool of rank 3", lambda tf, x: tf.nn.avg_pool(x, 2, 2, "VALID"), (anything(2, 5, 2),)),
    Case(
        "avg_pool of rank 4",
        lambda tf, x: tf.nn.avg_pool(x, [1, 2, 2, 1], [1, 1, 1, 1], "SAME"),
        (anything(2, 5, 4, 2),),
    ),
    Case(
        "avg_pool of rank 5",
        lambda tf, x: tf.nn.avg_pool(x, 2, 2, "VALID", "NDHWC"),
        (anything(2, 4, 4, 2, 1),),
        dtypes=("float32",),
    ),
    Case(
        "pool MAX", lambda tf, x: tf.nn.pool(x, [2, 3], "MAX", strides=[1, 2], padding="SAME"), (anything(2, 5, 6, 2),)
    ),
    Case("pool MAX, dilations", lambda tf, x: tf.nn.pool(x, [2, 3], "MAX", dilations=[3, 2]), (anything(2, 6, 7, 2),)),
    Case("pool AVG, dilations", lambda tf, x: tf.nn.pool(x, [2], "AVG", dilations=[2]), (anything(2, 6, 2),)),
    Case("pool AVG", lambda tf, x: tf.nn.pool(x, [2, 2, 1], "AVG"), (anything(1, 3, 3, 2, 2),), dtypes=("float32",)),
    # -- the other convolutions --
    Case(
        "conv1d", lambda tf, x, w: tf.nn.conv1d(x, w, 2, "SAME"), (anything(2, 7, 3), anything(3, 3, 2)), dtypes=HALVES
    ),
    Case(
        "conv1d dilations",
        lambda tf, x, w: tf.nn.conv1d(x, w, 1, "VALID", dilations=2),
        (anything(2, 7, 3), anything(3, 3, 2)),
        dtypes=("float32",),
    ),
    Case(
        "conv1d batches",
        lambda tf, x, w: tf.nn.conv1d(x, w, [1, 2, 1], "VALID"),
        (anything(2, 3, 7, 2), anything(2, 2, 2)),
    ),
    Case(
        "conv1d NCW",
        lambda tf, x, w: tf.nn.conv1d(x, w, 2, "SAME", "NCW"),
        (anything(2, 3, 7), anything(3, 3, 2)),
        dtypes=("float32",),
    ),
    Case(
        "conv2d batches",
        lambda tf, x, w: tf.nn.conv2d(x, w, 1, "SAME"),
        (anything(2, 1, 3, 3, 2), anything(2, 2, 2, 2)),
        dtypes=("float64",),
    ),
    Case(
        "conv3d",
        lambda tf, x, w: tf.nn.conv3d(x, w, [1, 2, 1, 1, 1], "SAME"),
        (anything(1, 3, 4, 3, 2), anything(2, 3, 2, 2, 2)),
    ),
    Case(
        "conv3d valid",
        lambda tf, x, w: tf.nn.conv3d(x, w, [1, 1, 1, 1, 1], "VALID"),
        (anything(2, 3, 4, 5, 1), anything(2, 2, 3, 1, 2)),
    ),
    Case(
        "conv3d NCDHW, dilations",
        lambda tf, x, w: tf.nn.conv3d(x, w, [1, 1, 1, 1, 1], "SAME", "NCDHW", dilations=[1, 1, 2, 1, 2]),
        (anything(1, 2, 4, 3, 5), anything(2, 3, 2, 2, 2)),
        dtypes=("float32",),
    ),
    Case(
        "convolution of 1",
        lambda tf, x, w: tf.nn.convolution(x, w, padding="SAME", strides=[2]),
        (anything(2, 5, 2), anything(2, 2, 3)),
    ),
    Case(
        "convolution of 2",
        lambda tf, x, w: tf.nn.convolution(x, w, dilations=[2, 1]),
        (anything(2, 5, 4, 2), anything(2, 3, 2, 3)),
    ),
    Case(
        "convolution of 3",
        lambda tf, x, w: tf.nn.convolution(x, w, data_format="NDHWC"),
        (anything(1, 3, 3, 3, 2), anything(2, 2, 2, 2, 1)),
    ),
    Case(
        "conv1d_transpose",
        lambda tf, x, w: tf.nn.conv1d_transpose(x, w, [2, 7, 2], 2),
        (anything(2, 4, 3), anything(3, 2, 3)),
    ),
    Case(
        "conv2d_transpose",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [2, 6, 5, 2], 2),
        (anything(2, 3, 3, 3), anything(3, 2, 2, 3)),
        dtypes=("float32", "float64", "float16", "bfloat16"),
    ),
    Case(
        "conv2d_transpose valid",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [2, 8, 7, 2], [2, 3], "VALID"),
        (anything(2, 3, 2, 3), anything(3, 3, 2, 3)),
    ),
    Case(
        "conv2d_transpose stride 1",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, tf.constant([1, 4, 4, 2]), 1, "SAME"),
        (anything(1, 4, 4, 3), anything(3, 3, 2, 3)),
    ),
    Case(
        "conv2d_transpose sizes",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [4, 4], 2),
        (anything(1, 2, 2, 3), anything(3, 3, 2, 3)),
        dtypes=("float64",),
    ),
    Case(
        "conv2d_transpose explicit padding",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [2, 5, 4, 2], 2, [[0, 0], [1, 1], [1, 0], [0, 0]]),
        (anything(2, 3, 2, 3), anything(3, 3, 2, 3)),
    ),
    Case(
        "conv2d_transpose NCHW, dilations",
        lambda tf, x, w: tf.nn.conv2d_transpose(x, w, [2, 2, 4, 5], 1, "SAME", "NCHW", dilations=2),
        (anything(2, 3, 4, 5), anything(3, 3, 2, 3)),
        dtypes=("float32",),
    ),
    Case(
        "conv3d_transpose",
        lambda tf, x, w: tf.nn.conv3d_transpose(x, w, [1, 4, 3, 2, 2], [2, 2, 1]),
        (anything(1, 2, 2, 2, 3), anything(3, 2, 2, 2, 3)),
    ),
    Case(
        "conv_transpose of 1",
        lambda tf, x, w: tf.nn.conv_transpose(x, w, [2, 7, 2], 2),
        (anything(2, 4, 3), anything(3, 2, 3)),
    ),
    Case(
        "conv_transpose of 2",
        lambda tf, x, w: tf.nn.conv_transpose(x, w, [1, 4, 3, 2], [2, 1]),
        (anything(1, 2, 3, 3), anything(3, 2, 2, 3)),
    ),
    Case(
        "conv_transpose of 3",
        lambda tf, x, w: tf.nn.conv_transpose(x, w, [1, 2, 2, 3, 2], 1),
        (anything(1, 2, 2, 3, 1), anything(2, 2, 2, 2, 1)),
    ),
    Case(
        "depthwise_conv2d",
        lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, ONE, "SAME"),
        (anything(2, 4, 5, 3), anything(3, 2, 3, 1)),
        dtypes=HALVES,
    ),
    Case(
        "depthwise_conv2d multiplier",
        lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, [1, 2, 2, 1], "VALID"),
        (anything(2, 6, 5, 3), anything(3, 3, 3, 2)),
    ),
    Case(
        "depthwise_conv2d dilations",
        lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, ONE, "SAME", dilations=[2, 1]),
        (anything(2, 6, 5, 2), anything(3, 2, 2, 2)),
    ),
    Case(
        "depthwise_conv2d explicit padding",
        lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, ONE, [[0, 0], [1, 2], [0, 1], [0, 0]]),
        (anything(1, 3, 3, 2), anything(2, 2, 2, 2)),
    ),
    Case(
        "depthwise_conv2d NCHW",
        lambda tf, x, w: tf.nn.depthwise_conv2d(x, w, ONE, "SAME", "NCHW"),
        (anything(1, 2, 3, 3), anything(2, 2, 2, 2)),
        tensorflow=False,  # not on a CPU
    ),
    Case(
        "depthwise_conv2d_backprop_input",
        lambda tf, w, g: tf.nn.depthwise_conv2d_backprop_input([2, 5, 5, 2], w, g, [1, 2, 2, 1], "SAME"),
        (anything(3, 3, 2, 2), anything(2, 3, 3, 4)),
    ),
    Case(
        "depthwise_conv2d_backprop_filter",
        lambda tf, x, g: tf.nn.depthwise_conv2d_backprop_filter(x, [3, 3, 2, 2], g, [1, 2, 2, 1], "SAME"),
        (anything(2, 5, 5, 2), anything(2, 3, 3, 4)),
    ),
    Case(
        "separable_conv2d",
        lambda tf, x, d, p: tf.nn.separable_conv2d(x, d, p, [1, 2, 2, 1], "SAME"),
        (anything(2, 5, 5, 2), anything(3, 3, 2, 2), anything(1, 1, 4, 3)),
    ),
    Case(
        "atrous_conv2d",
        lambda tf, x, w: tf.nn.atrous_conv2d(x, w, 2, "SAME"),
        (anything(1, 6, 6, 2), anything(3, 2, 2, 2)),
    ),
    Case(
        "atrous_conv2d valid",
        lambda tf, x, w: tf.nn.atrous_conv2d(x, w, 2, "VALID"),
        (anything(1, 6, 7, 2), anything(3, 2, 2, 2)),
    ),
    Case(
        "atrous_conv2d_transpose",
        lambda tf, x, w: tf.nn.atrous_conv2d_transpose(x, w, [1, 6, 6, 3], 2, "SAME"),
        (anything(1, 6, 6, 2), anything(3, 3, 3, 2)),
    ),
    Case(
        "atrous_conv2d_transpose valid",
        lambda tf, x, w: tf.nn.atrous_conv2d_transpose(x, w, [1, 7, 7, 3], 2, "VALID"),
        (anything(1, 3, 3, 2), anything(3, 3, 3, 2)),
    ),
    *[
        Case(
            f"with_space_to_batch {padding}",
            lambda tf, x, w, padding=padding: tf.nn.with_space_to_batch(
                x, [2, 3], padding, lambda x, _, padding: tf.nn.conv2d(x, w, 1, padding), filter_shape=[2, 3]
            ),
            (anything(1, 6, 8, 2), anything(2, 3, 2, 2)),
        )
        for padding in ("SAME", "VALID")
    ],
    # nan is passed over, and the least finite number stands for -inf.
    Case(
        "max_pool2d of nan and -inf",
        lambda tf, x: tf.stop_gradient(tf.nn.max_pool2d(x, 2, 1, "SAME")),
        (np.array([[1, np.nan, 3], [0, 2, 1], [5, -np.inf, -np.inf], [5, -np.inf, -np.inf]]).reshape(1, 4, 3, 1),),
        order=0,
        compiled=False,  # XLA's maximum is nan where one is, as in TensorFlow's compiled functions
    ),
    Case(
        "max_pool2d, its gradient",
        lambda tf, x: gradient_of(tf, lambda x: tf.nn.max_pool2d(x, 2, 1, "SAME"), x),
        (anything(2, 3, 4, 2),),
        second=False,  # TensorFlow has no third derivative
    ),
    Case(
        "dilation2d, its gradient",
        lambda tf, x, w: gradient_of(tf, lambda x, w: tf.nn.dilation2d(x, w, ONE, "SAME", "NHWC", ONE), x, w),
        (anything(1, 3, 4, 2), anything(2, 2, 2)),
        tensorflow=False,  # no second derivative
    ),
    # -- dilation and erosion: TensorFlow has no second derivative of them --
    Case(
        "dilation2d",
        lambda tf, x, w: tf.nn.dilation2d(x, w, ONE, "SAME", "NHWC", ONE),
        (anything(2, 4, 5, 2), anything(2, 3, 2)),
        second=False,
    ),
    Case(
        "dilation2d strides, dilations",
        lambda tf, x, w: tf.nn.dilation2d(x, w, [1, 2, 1, 1], "VALID", "NHWC", [1, 2, 3, 1]),
        (anything(2, 6, 7, 2), anything(2, 2, 2)),
        second=False,
    ),
    Case(
        "dilation2d ties",
        lambda tf, x, w: tf.nn.dilation2d(x, w, ONE, "SAME", "NHWC", ONE),
        (np.zeros((1, 3, 3, 1)), np.zeros((2, 2, 1))),
        order=0,
    ),
    Case(
        "erosion2d",
        lambda tf, x, w: tf.nn.erosion2d(x, w, ONE, "SAME", "NHWC", ONE),
        (anything(2, 4, 5, 2), anything(2, 3, 2)),
        second=False,
    ),
]


def _bad(name, function, sentence, error="InvalidArgumentError", tensorflow=True):
    return BadInput(name, function, sentence, error, tensorflow)


def _conv2d_of(x=(2, 6, 6, 4), w=(3, 3, 4, 5), strides=1, padding="SAME", dtype="float32", **kwargs):
    return lambda tf: tf.nn.conv2d(tf.ones(x, dtype), tf.ones(w, dtype), strides, padding, **kwargs)


def _pool_of(name, ksize=2, strides=1, padding="SAME", x=(2, 6, 6, 4), dtype="float32", **kwargs):
    return lambda tf: getattr(tf.nn, name)(tf.cast(tf.ones(x), dtype), ksize, strides, padding, **kwargs)


def _transposed_of(shape=(2, 6, 6, 5), strides=2, padding="SAME", x=(2, 3, 3, 4), w=(3, 3, 5, 4), **kwargs):
    return lambda tf: tf.nn.conv2d_transpose(tf.ones(x), tf.ones(w), shape, strides, padding, **kwargs)


def _depthwise_of(strides=ONE, padding="SAME", x=(2, 6, 6, 4), w=(3, 3, 4, 2), dtype="float32", **kwargs):
    return lambda tf: tf.nn.depthwise_conv2d(tf.ones(x, dtype), tf.ones(w, dtype), strides, padding, **kwargs)


def _dilation_of(
    strides=ONE, padding="SAME", data_format="NHWC", rates=ONE, x=(2, 6, 6, 4), w=(2, 2, 4), dtype="float32"
):
    def run(tf):
        inputs = (tf.cast(tf.ones(shape), dtype) for shape in (x, w))
        return tf.nn.dilation2d(*inputs, strides, padding, data_format, rates)

    return run


# Where TensorFlow's oneDNN kernels, the default on x86, end the process, say something else or return nonsense, and its own
# kernels raise this: tensorflow=False.
BAD_INPUT = [
    _bad("conv2d channels", _conv2d_of((2, 6, 6, 3)), "input depth must be evenly divisible by filter depth: 3 vs 4"),
    _bad(
        "conv2d groups", _conv2d_of(w=(3, 3, 2, 5)), "output depth must be evenly divisible by number of groups: 5 vs 2"
    ),
    _bad(
        "conv2d padding",
        _conv2d_of(padding="same"),
        "Value for attr 'padding' of \"same\" is not in the list of allowed values",
    ),
    _bad(
        "conv2d EXPLICIT",
        _conv2d_of(padding="EXPLICIT"),
        "To use explicit padding, `padding` must be a list.",
        ValueError,
    ),
    _bad("conv2d padding number", _conv2d_of(padding=3), "Expected string for argument 'padding' not 3.", TypeError),
    _bad(
        "conv2d padding length",
        _conv2d_of(padding=[[1, 1], [1, 1]]),
        "When padding is a list, it must be of size 4.",
        ValueError,
    ),
    _bad(
        "conv2d padding pairs",
        _conv2d_of(padding=[[0, 0], [1, 2, 3], [0, 0], [0, 0]]),
        "with element at index 1 of size 3",
        ValueError,
    ),
    _bad(
        "conv2d padding flat",
        _conv2d_of(padding=[0, 0, 0, 0]),
        "each element of `padding` must be a list/tuple of size 2",
        ValueError,
    ),
    _bad(
        "conv2d padding of batches",
        _conv2d_of(padding=[[1, 0], [1, 1], [1, 1], [0, 0]]),
        "Nonzero explicit padding in the batch or depth dimensions is not supported",
        tensorflow=False,
    ),
    _bad(
        "conv2d padding negative",
        _conv2d_of(padding=[[0, 0], [-1, 1], [1, 1], [0, 0]]),
        "All elements of explicit_paddings must be nonnegative",
        tensorflow=False,
    ),
    _bad("conv2d size", _conv2d_of((1, 1, 5, 4), padding="VALID"), "Computed output size would be negative: -1"),
    _bad("conv2d stride 0", _conv2d_of(strides=0), "Stride must be > 0, but got 0"),
    _bad("conv2d strides count", _conv2d_of(strides=[1, 1, 1]), "strides should be of length 1, 2 or 4.", ValueError),
    _bad(
        "conv2d stride of batches",
        _conv2d_of(strides=[2, 1, 1, 1]),
        "does not yet support strides in the batch and depth",
        "UnimplementedError",
    ),
    _bad("conv2d dilation 0", _conv2d_of(dilations=0), "Dilated rates should be larger than 0."),
    _bad(
        "conv2d dilations count",
        _conv2d_of(dilations=[2, 1, 1]),
        "dilations should be of length 1, 2 or 4.",
        ValueError,
    ),
    _bad(
        "conv2d dilation of batches",
        _conv2d_of(dilations=[2, 1, 1, 1]),
        "does not yet support dilations in the batch and depth",
    ),
    _bad("conv2d rank", _conv2d_of((6, 6, 4)), "convolution input must be 4-dimensional: [6,6,4]", tensorflow=False),
    _bad("conv2d filter rank", _conv2d_of(w=(3, 4, 5)), "filter must be 4-dimensional: [3,4,5]"),
    _bad(
        "conv2d filter without depth",
        _conv2d_of(w=(3, 3, 0, 5)),
        "filter depth must be stricly positive, got 0",
        tensorflow=False,
    ),
    _bad("conv2d filter without height", _conv2d_of(w=(0, 3, 4, 5)), "filter must not have zero elements"),
    _bad(
        "conv2d format",
        _conv2d_of(data_format="FOO"),
        'Value for attr \'data_format\' of "FOO" is not in the list of allowed values: "NHWC", "NCHW"',
    ),
    _bad("conv2d int64", _conv2d_of(dtype="int64"), "Value for attr 'T' of int64 is not in the list of allowed values"),
    _bad(
        "conv2d complex",
        _conv2d_of(dtype="complex64"),
        "Value for attr 'T' of complex64 is not in the list of allowed values",
    ),
    _bad(
        "conv2d two dtypes",
        lambda tf: tf.nn.conv2d(tf.ones((1, 3, 3, 1)), tf.ones((1, 1, 1, 1), tf.float64), 1, "SAME"),
        "as input #1(zero-based) was expected to be a float tensor but is a double tensor",
    ),
    _bad(
        "conv1d channels",
        lambda tf: tf.nn.conv1d(tf.ones((2, 6, 3)), tf.ones((3, 4, 5)), 1, "SAME"),
        "input depth must be evenly divisible by filter depth: 3 vs 4",
    ),
    _bad(
        "conv1d stride count",
        lambda tf: tf.nn.conv1d(tf.ones((2, 6, 3)), tf.ones((3, 3, 5)), [1, 1], "SAME"),
        "stride should be of length 1, 1 or 3.",
        ValueError,
    ),
    _bad(
        "conv1d format",
        lambda tf: tf.nn.conv1d(tf.ones((2, 6, 3)), tf.ones((3, 3, 5)), 1, "SAME", "FOO"),
        "`data_format` must be 'NWC' or 'NCW'.",
        ValueError,
    ),
    _bad(
        "conv1d padding list",
        lambda tf: tf.nn.conv1d(tf.ones((2, 6, 3)), tf.ones((3, 3, 5)), 1, [[0, 0], [1, 1], [0, 0]]),
        "Expected string for argument 'padding'",
        TypeError,
    ),
    _bad(
        "conv3d stride number",
        lambda tf: tf.nn.conv3d(tf.ones((1, 3, 3, 3, 2)), tf.ones((2, 2, 2, 2, 1)), 1, "SAME"),
        "Expected list for 'strides' argument to 'conv3d' Op, not 1.",
        TypeError,
    ),
    _bad(
        "conv3d stride count",
        lambda tf: tf.nn.conv3d(tf.ones((1, 3, 3, 3, 2)), tf.ones((2, 2, 2, 2, 1)), [1, 1, 1], "SAME"),
        "Length for attr 'strides' of 3 must be at least minimum 5",
    ),
    _bad(
        "conv3d channels",
        lambda tf: tf.nn.conv3d(tf.ones((1, 3, 3, 3, 3)), tf.ones((2, 2, 2, 2, 1)), [1] * 5, "SAME"),
        "input and filter must have the same depth: 3 vs 2",
    ),
    _bad(
        "conv3d filter rank",
        lambda tf: tf.nn.conv3d(tf.ones((1, 3, 3, 3, 2)), tf.ones((2, 2, 2, 1)), [1] * 5, "SAME"),
        "filter must be 5-dimensional",
    ),
    _bad(
        "convolution filter rank",
        lambda tf: tf.nn.convolution(tf.ones((1, 3, 3, 2)), tf.ones((3,))),
        "`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims=-1.",
        ValueError,
    ),
    _bad(
        "convolution strides and dilations",
        lambda tf: tf.nn.convolution(tf.ones((1, 3, 3, 2)), tf.ones((2, 2, 2, 1)), strides=2, dilations=2),
        "`strides > 1` not supported in conjunction with `dilation_rate > 1`.",
        ValueError,
    ),
    # -- transposes --
    _bad(
        "conv2d_transpose size",
        _transposed_of((2, 4, 6, 5)),
        "Size of out_backprop doesn't match computed: actual = 3, computed = 2",
        tensorflow=False,
    ),
    _bad(
        "conv2d_transpose channels out",
        _transposed_of((2, 6, 6, 4)),
        "input depth must be evenly divisible by filter depth",
    ),
    _bad(
        "conv2d_transpose channels in",
        _transposed_of((2, 6, 6, 4), w=(3, 3, 4, 5)),
        "filter and out_backprop must have the same out_depth",
        tensorflow=False,
    ),
    _bad(
        "conv2d_transpose batch",
        _transposed_of((3, 6, 6, 5)),
        "input and out_backprop must have the same batch size.",
        tensorflow=False,
    ),
    _bad(
        "conv2d_transpose sizes count",
        _transposed_of((6, 6, 5)),
        "requires input_sizes to contain 4 values or 2 values, but got: 3",
        tensorflow=False,
    ),
    _bad(
        "conv2d_transpose negative size", _transposed_of((2, -1, 6, 5)), "Dimension -1 must be >= 0", tensorflow=False
    ),
    _bad(
        "conv2d_transpose float sizes", _transposed_of((2.0, 6.0, 6.0, 5.0)), "to EagerTensor of dtype int32", TypeError
    ),
    _bad(
        "conv2d_transpose padding",
        _transposed_of(padding="FOO"),
        "Value for attr 'padding' of \"FOO\" is not in the list of allowed values",
    ),
    _bad(
        "conv1d_transpose format",
        lambda tf: tf.nn.conv1d_transpose(tf.ones((2, 3, 4)), tf.ones((3, 5, 4)), [2, 6, 5], 2, data_format="FOO"),
        "`data_format` must be 'NWC' or 'NCW'.",
        ValueError,
    ),
    _bad(
        "conv_transpose sizes",
        lambda tf: tf.nn.conv_transpose(tf.ones((2, 3, 4)), tf.ones((3, 5, 4)), [6, 5], 2),
        "`output_shape` must be of length 3, 4 or 5.",
        ValueError,
    ),
    _bad(
        "conv_transpose scalar",
        lambda tf: tf.nn.conv_transpose(tf.ones((2, 3, 4)), tf.ones((3, 5, 4)), 6, 2),
        "`output_shape` must be a tensor or sized collection.",
        ValueError,
    ),
    # -- depthwise, separable, atrous --
    _bad(
        "depthwise_conv2d channels",
        _depthwise_of(w=(3, 3, 3, 2)),
        "input and filter must have the same depth: 4 vs 3",
        tensorflow=False,
    ),
    _bad(
        "depthwise_conv2d stride number",
        _depthwise_of(1),
        "Expected list for 'strides' argument to 'depthwise_conv2d_native' Op, not 1.",
        TypeError,
    ),
    _bad(
        "depthwise_conv2d strides count",
        _depthwise_of([2, 2]),
        "Sliding window strides field must specify 4 dimensions",
        tensorflow=False,
    ),
    _bad(
        "depthwise_conv2d stride of batches",
        _depthwise_of([2, 1, 1, 1]),
        "does not yet support strides in the batch and depth",
        tensorflow=False,
    ),
    _bad("depthwise_conv2d stride 0", _depthwise_of([1, 0, 0, 1]), "Stride must be > 0, but got 0"),
    _bad(
        "depthwise_conv2d size",
        _depthwise_of(padding="VALID", w=(9, 9, 4, 1)),
        "Computed output size would be negative: -2",
    ),
    _bad("depthwise_conv2d rank", _depthwise_of(x=(6, 6, 4)), "input must be 4-dimensional", tensorflow=False),
    _bad(
        "depthwise_conv2d int32",
        _depthwise_of(dtype="int32"),
        "Value for attr 'T' of int32 is not in the list of allowed values",
    ),
    _bad(
        "depthwise_conv2d dilations and strides",
        _depthwise_of([1, 2, 2, 1], dilations=[2, 2]),
        "then all values of strides must be 1.",
        ValueError,
        tensorflow=False,
    ),
    _bad(
        "separable_conv2d pointwise",
        lambda tf: tf.nn.separable_conv2d(
            tf.ones((1, 3, 3, 2)), tf.ones((2, 2, 2, 1)), tf.ones((2, 1, 2, 3)), ONE, "SAME"
        ),
        "Dimensions 2 and 1 are not compatible",
        ValueError,
    ),
    _bad(
        "atrous_conv2d rate",
        lambda tf: tf.nn.atrous_conv2d(tf.ones((1, 6, 6, 2)), tf.ones((2, 2, 2, 1)), 0, "SAME"),
        "all values of `dilation_rate` must be positive.",
        ValueError,
    ),
    _bad(
        "atrous_conv2d padding",
        lambda tf: tf.nn.atrous_conv2d(tf.ones((1, 6, 6, 2)), tf.ones((2, 2, 2, 1)), 2, "FOO"),
        "`padding` must be one of 'SAME' or 'VALID'.",
        ValueError,
    ),
    _bad(
        "atrous_conv2d channels",
        lambda tf: tf.nn.atrous_conv2d(tf.ones((1, 6, 6, 4)), tf.ones((2, 2, 3, 1)), 2, "SAME"),
        "The number of input channels is not divisible by the corresponding number of output filters.",
        ValueError,
    ),
    _bad(
        "atrous_conv2d_transpose rate",
        lambda tf: tf.nn.atrous_conv2d_transpose(tf.ones((1, 6, 6, 2)), tf.ones((2, 2, 1, 2)), [1, 6, 6, 1], 0, "SAME"),
        "`rate` cannot be less than one.",
        ValueError,
    ),
    _bad(
        "atrous_conv2d_transpose channels",
        lambda tf: tf.nn.atrous_conv2d_transpose(tf.ones((1, 6, 6, 2)), tf.ones((2, 2, 1, 3)), [1, 6, 6, 1], 2, "SAME"),
        "`value` channel count must be compatible with `filters` input channel count.",
        ValueError,
    ),
    _bad(
        "atrous_conv2d_transpose shape",
        lambda tf: tf.nn.atrous_conv2d_transpose(tf.ones((1, 6, 6, 2)), tf.ones((2, 2, 1, 2)), [6, 6, 1], 2, "SAME"),
        "`output_shape` must have shape (4,).",
        ValueError,
    ),
    _bad(
        "with_space_to_batch without filter_shape",
        lambda tf: tf.nn.with_space_to_batch(tf.ones((1, 6, 6, 2)), [2, 2], "SAME", lambda x, _, padding: x),
        "`filter_shape` must be specified for `padding='SAME'`.",
        ValueError,
    ),
    _bad(
        "with_space_to_batch rate",
        lambda tf: tf.nn.with_space_to_batch(tf.ones((1, 6, 6, 2)), [0, 2], "VALID", lambda x, _, padding: x),
        "`dilation_rate` must be positive.",
        ValueError,
    ),
    _bad(
        "with_space_to_batch spatial_dims",
        lambda tf: tf.nn.with_space_to_batch(
            tf.ones((1, 6, 6, 2)), [2, 2], "VALID", lambda x, _, padding: x, spatial_dims=[2, 1]
        ),
        "`spatial_dims` must be a monotonically increasing sequence of positive integers.",
        ValueError,
    ),
    # -- pooling --
    _bad(
        "max_pool2d ksize count", _pool_of("max_pool2d", [2, 2, 2]), "ksize should be of length 1, 2 or 4.", ValueError
    ),
    _bad(
        "max_pool2d ksize 0",
        _pool_of("max_pool2d", 0),
        "Sliding window ksize must be positive. The specified or inferred ksize is: 1,0,0,1",
    ),
    _bad(
        "avg_pool2d ksize 0",
        _pool_of("avg_pool2d", 0),
        "Sliding window ksize must be positive. The specified or inferred ksize is: 1,0,0,1",
    ),
    _bad(
        "max_pool3d ksize 0",
        _pool_of("max_pool3d", 0, x=(1, 3, 3, 3, 1)),
        "Sliding window ksize must be positive. The specified or inferred ksize is: 1,0,0,0,1",
    ),
    _bad("max_pool2d stride 0", _pool_of("max_pool2d", strides=0), "Stride must be > 0, but got 0"),
    _bad(
        "max_pool2d batches",
        _pool_of("max_pool2d", [2, 2, 2, 1]),
        "Pooling is not yet supported on the batch dimension.",
        "UnimplementedError",
    ),
    _bad(
        "max_pool3d depth",
        _pool_of("max_pool3d", [1, 2, 2, 2, 2], x=(1, 3, 3, 3, 2)),
        "Pooling is not yet supported on the depth dimension.",
        "UnimplementedError",
    ),
    _bad(
        "max_pool2d across channels and space",
        _pool_of("max_pool2d", [1, 2, 2, 2], [1, 1, 1, 2]),
        "MaxPooling supports exactly one of pooling across depth or pooling across width/height.",
        "UnimplementedError",
    ),
    _bad(
        "max_pool2d across some channels",
        _pool_of("max_pool2d", [1, 1, 1, 3], [1, 1, 1, 3]),
        "requires the depth window to evenly divide the input depth",
        "UnimplementedError",
    ),
    _bad(
        "max_pool2d padding",
        _pool_of("max_pool2d", padding="FOO"),
        'Value for attr \'padding\' of "FOO" is not in the list of allowed values: "SAME", "VALID", "EXPLICIT"',
    ),
    _bad(
        "avg_pool2d padding",
        _pool_of("avg_pool2d", padding="FOO"),
        'Value for attr \'padding\' of "FOO" is not in the list of allowed values: "SAME", "VALID"',
    ),
    _bad(
        "avg_pool2d padding list",
        _pool_of("avg_pool2d", padding=[[0, 0], [1, 1], [1, 1], [0, 0]]),
        "Expected string for argument 'padding'",
        TypeError,
    ),
    _bad(
        "max_pool2d too much padding",
        _pool_of("max_pool2d", padding=[[0, 0], [2, 0], [1, 1], [0, 0]]),
        "Top padding 2 needs to be smaller than the window size 2",
    ),
    _bad(
        "max_pool EXPLICIT",
        _pool_of("max_pool", padding="EXPLICIT"),
        "To use explicit padding, `padding` must be a list.",
        ValueError,
    ),
    _bad(
        "max_pool explicit padding of rank 5",
        _pool_of("max_pool", padding=[[0, 0]] * 5, x=(1, 3, 3, 3, 1)),
        "Explicit padding is not supported with an input tensor of rank 5.",
        ValueError,
    ),
    _bad(
        "max_pool2d rank",
        _pool_of("max_pool2d", x=(6, 6, 4)),
        "tensor_in_shape must have 2 spatial dimensions.",
        tensorflow=False,
    ),
    _bad("max_pool3d rank", _pool_of("max_pool3d", x=(6, 6, 4)), "tensor_in must be 5-dimensional", tensorflow=False),
    _bad("max_pool rank", _pool_of("max_pool", x=(6, 4)), "`input.shape.rank` must be 3, 4 or 5.", ValueError),
    _bad("max_pool2d size", _pool_of("max_pool2d", 8, padding="VALID"), "Computed output size would be negative: -1"),
    _bad(
        "avg_pool2d int32",
        _pool_of("avg_pool2d", dtype="int32"),
        "Value for attr 'T' of int32 is not in the list of allowed values: half, bfloat16, float, double",
    ),
    _bad(
        "max_pool2d complex",
        _pool_of("max_pool2d", dtype="complex64"),
        "Value for attr 'T' of complex64 is not in the list of allowed values",
    ),
    _bad(
        "max_pool2d format",
        _pool_of("max_pool2d", data_format="FOO"),
        "Value for attr 'data_format' of \"FOO\" is not in the list of allowed values",
    ),
    _bad(
        "max_pool_with_argmax format",
        lambda tf: tf.nn.max_pool_with_argmax(tf.ones((1, 3, 3, 1)), 2, 1, "SAME", "NCHW"),
        "`data_format` values other  than 'NHWC' are not supported.",
        ValueError,
    ),
    _bad(
        "max_pool_with_argmax int16",
        lambda tf: tf.nn.max_pool_with_argmax(tf.ones((1, 3, 3, 1)), 2, 1, "SAME", output_dtype=tf.int16),
        "Value for attr 'Targmax' of int16 is not in the list of allowed values: int32, int64",
    ),
    _bad(
        "pool type",
        lambda tf: tf.nn.pool(tf.ones((1, 3, 3, 1)), [2, 2], "FOO"),
        "2-D FOO pooling is not supported.",
        ValueError,
    ),
    _bad(
        "pool rank",
        lambda tf: tf.nn.pool(tf.ones((1, 3, 3, 1)), [2], "MAX"),
        "Shape (1, 3, 3, 1) must have rank 3",
        ValueError,
    ),
    _bad(
        "pool strides and dilations",
        lambda tf: tf.nn.pool(tf.ones((1, 5, 5, 1)), [2, 2], "MAX", strides=[2, 2], dilations=[2, 2]),
        "`strides > 1` not supported in conjunction with `dilation_rate > 1`.",
        ValueError,
    ),
    _bad(
        "pool same and dilations",
        lambda tf: tf.nn.pool(tf.ones((1, 5, 5, 1)), [2, 2], "AVG", padding="SAME", dilations=[2, 2]),
        "pooling with 'SAME' padding is not implemented for `dilation_rate` > 1.",
        ValueError,
    ),
    _bad(
        "pool of four",
        lambda tf: tf.nn.pool(tf.ones((1, 3, 3, 3, 3, 1)), [2, 2, 2, 2], "MAX"),
        "`len(window_shape)` must be 1, 2, or 3.",
        ValueError,
    ),
    # -- dilation --
    _bad(
        "dilation2d format",
        _dilation_of(data_format="NCHW"),
        "`data_format` values other  than 'NHWC' are not supported.",
        ValueError,
    ),
    _bad("dilation2d channels", _dilation_of(w=(2, 2, 3)), "input and filter must have the same depth: 4 vs 3"),
    _bad(
        "dilation2d stride number",
        _dilation_of(1),
        "Expected list for 'strides' argument to 'dilation2d' Op, not 1.",
        TypeError,
    ),
    _bad("dilation2d strides count", _dilation_of([1, 1]), "Length for attr 'strides' of 2 must be at least minimum 4"),
    _bad("dilation2d stride 0", _dilation_of([1, 0, 1, 1]), "Stride must be > 0, but got 0"),
    _bad(
        "dilation2d stride of batches",
        _dilation_of([2, 1, 1, 1]),
        "Stride is only supported across spatial dimensions.",
        "UnimplementedError",
    ),
    _bad(
        "dilation2d rate of batches",
        _dilation_of(rates=[2, 1, 1, 1]),
        "Rate is only supported across spatial dimensions.",
        "UnimplementedError",
    ),
    _bad(
        "dilation2d padding",
        _dilation_of(padding="FOO"),
        'Value for attr \'padding\' of "FOO" is not in the list of allowed values: "SAME", "VALID"',
    ),
    _bad("dilation2d rank", _dilation_of(x=(6, 6, 4)), "input must be 4-dimensional"),
    _bad("dilation2d filter rank", _dilation_of(w=(2, 2)), "filter must be 3-dimensional: [2,2]"),
    _bad("dilation2d size", _dilation_of(padding="VALID", w=(8, 2, 4)), "Computed output size would be negative: -1"),
    _bad(
        "dilation2d complex",
        _dilation_of(dtype="complex64"),
        "Value for attr 'T' of complex64 is not in the list of allowed values",
    ),
]
