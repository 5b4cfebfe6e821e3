"""Rows for `whygrad.ops.reductions` and `whygrad.ops.cumulative`."""

import numpy as np

from tests.support.cases import BadInput, Case, anything, between, positive
from tests.support.gradients import gradient_in_float32

INF, NAN = np.inf, np.nan
TIES = np.array([[1.0, 3, 3, 0, 0], [NAN, 1, 2, 1, 0], [NAN, NAN, NAN, NAN, NAN]])

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
    Case("reduce_max int", lambda tf, x: tf.reduce_max(tf.cast(4 * x, tf.int32), axis=0), (anything(4, 3),), order=0),
    Case("reduce_max no ints", lambda tf, x: tf.reduce_max(tf.cast(x, tf.int8), axis=0), (anything(0, 3),), order=0),
    Case("reduce_sum of ints", lambda tf, x: tf.reduce_sum(tf.cast(90 * x, tf.int8)), (anything(4, 3),), order=0),
    Case("reduce_mean of ints", lambda tf, x: tf.reduce_mean(tf.cast(9 * x, tf.int32), 1), (anything(4, 3),), order=0),
    Case(
        "reduce_mean of uints", lambda tf, x: tf.reduce_mean(tf.cast(9 * x, tf.uint8)), (between(1, 9, 4, 3),), order=0
    ),
    Case("reduce_mean no ints", lambda tf, x: tf.reduce_mean(tf.cast(x, tf.int32), 0), (anything(0, 3),), order=0),
    Case("reduce_prod of ints", lambda tf, x: tf.reduce_prod(tf.cast(9 * x, tf.int16)), (anything(4, 3),), order=0),
    Case("reduce_any", lambda tf, x: tf.reduce_any(x > 1, axis=1), (anything(4, 3),), order=0),
    Case("reduce_all", lambda tf, x: tf.reduce_all(x > -1, axis=[0], keepdims=True), (anything(4, 3),), order=0),
    Case("reduce_any empty", lambda tf, x: (tf.reduce_any(x > 1), tf.reduce_all(x > 1)), (anything(0, 3),), order=0),
    Case("reduce_logsumexp", lambda tf, x: tf.reduce_logsumexp(x, axis=1), (anything(2, 3, 2),)),
    Case("reduce_logsumexp all", lambda tf, x: tf.reduce_logsumexp(x, keepdims=True), (anything(2, 3),)),
    Case("reduce_logsumexp large", lambda tf, x: tf.reduce_logsumexp(x * 500, axis=0), (anything(3, 2),), order=1),
    Case("reduce_logsumexp empty", lambda tf, x: tf.reduce_logsumexp(x, axis=0), (anything(0, 3),), order=0),
    Case(
        "reduce_logsumexp infinite",
        lambda tf, x: tf.reduce_logsumexp(x, axis=1),
        (np.array([[-INF, -INF], [-INF, 1], [INF, 1], [INF, INF], [NAN, 1]]),),
        order=0,
    ),
    Case("reduce_variance", lambda tf, x: tf.math.reduce_variance(x, axis=[0, 2]), (anything(2, 3, 2),), complex=True),
    Case("reduce_variance all", lambda tf, x: tf.math.reduce_variance(x, keepdims=True), (anything(3, 2),)),
    Case("reduce_variance empty", lambda tf, x: tf.math.reduce_variance(x, axis=0), (anything(0, 2),), order=0),
    Case("reduce_std", lambda tf, x: tf.exp(tf.math.reduce_std(x, axis=-1)), (anything(2, 3),), complex=True),
    Case("reduce_std at 0", lambda tf, x: tf.math.reduce_std(x), (np.ones(3),), order=0),
    Case("reduce_euclidean_norm", lambda tf, x: x * tf.math.reduce_euclidean_norm(x, 1, True), (anything(2, 3),)),
    Case(
        "reduce_euclidean_norm real part",
        lambda tf, x: tf.exp(tf.math.real(tf.math.reduce_euclidean_norm(x))),
        (anything(2, 3),),
        complex=True,
    ),
    Case("reduce_euclidean_norm at 0", lambda tf, x: tf.math.reduce_euclidean_norm(x), (np.zeros(3),), order=0),
    Case(
        "reduce_euclidean_norm of ints",
        lambda tf, x: tf.math.reduce_euclidean_norm(tf.cast(9 * x, tf.int32)),
        (anything(3),),
        order=0,
    ),
    Case("argmax ties and nan", lambda tf, x: (tf.argmax(x, 1), tf.argmin(x, 1)), (TIES,), order=0),
    Case("argmax of bool", lambda tf, x: tf.argmax(x > 0, output_type=tf.int32), (anything(4, 3),), order=0),
    Case("argmax", lambda tf, x: tf.argmax(x, axis=1), (anything(2, 5),), order=0),
    Case("argmin", lambda tf, x: tf.argmin(x), (anything(2, 5),), order=0),
    Case("softmax", lambda tf, x: tf.nn.softmax(x) * x, (anything(3, 4),)),
    Case("softmax axis", lambda tf, x: tf.nn.softmax(x, axis=0) * x, (anything(3, 4),)),
    Case("softmax of rows of some length", lambda tf, x: tf.nn.softmax(x) * x, (anything(2, 9),)),
    Case(
        "softmax of large numbers",
        lambda tf, x: tf.nn.softmax(x) * tf.cast([1, 2, 4], x.dtype),
        (np.array([[1000.0, 999, 0], [-1000, -1001, -999], [50, -50, 50]]),),
        order=0,
    ),
    Case("softmax empty", lambda tf, x: tf.nn.softmax(x), (anything(3, 0),)),
    Case("softmax infinite", lambda tf, x: tf.nn.softmax(x), (np.array([[-INF, 1, 2], [-INF, -INF, -INF]]),), order=0),
    Case("log_softmax", lambda tf, x: tf.nn.log_softmax(x), (anything(3, 4),)),
    Case("log_softmax axis", lambda tf, x: tf.nn.log_softmax(x, axis=-2), (anything(3, 4),)),
    Case("cumsum", lambda tf, x: tf.cumsum(x, axis=1), (anything(2, 4),), complex=True),
    Case("cumsum exclusive", lambda tf, x: tf.cumsum(x, axis=-2, exclusive=True), (anything(2, 4),)),
    Case("cumsum reverse", lambda tf, x: tf.cumsum(x * x, exclusive=True, reverse=True), (anything(4),)),
    Case("cumprod", lambda tf, x: tf.math.cumprod(x, axis=1), (anything(2, 4),)),
    # TensorFlow's complex gradient lacks a conjugate.
    Case("cumprod complex", lambda tf, x: tf.math.cumprod(x), (anything(3),), complex=True, tensorflow=False),
    Case("cumprod exclusive", lambda tf, x: tf.math.cumprod(x, axis=-1, exclusive=True), (anything(2, 4),)),
    Case("cumprod reverse", lambda tf, x: tf.math.cumprod(x, exclusive=True, reverse=True), (anything(4),)),
    # TensorFlow's gradient at a zero is 0, and so is ours; finite differences know better.
    Case("cumprod zero", lambda tf, x: tf.math.cumprod(x), (np.array([2.0, 0, 3]),), order=0),
    Case("cumulative_logsumexp", lambda tf, x: tf.math.cumulative_logsumexp(x, axis=1), (anything(2, 4),)),
    Case(
        "cumulative_logsumexp exclusive",
        lambda tf, x: tf.math.cumulative_logsumexp(x, axis=0, exclusive=True)[1:] * [[1.0], [-1.0]],
        (anything(3, 2),),
    ),
    Case(
        "cumulative_logsumexp reverse",
        lambda tf, x: tf.math.cumulative_logsumexp(x * 300, exclusive=True, reverse=True)[:-1],
        (anything(4),),
        order=1,
    ),
    Case("cumulative_logsumexp empty", lambda tf, x: tf.math.cumulative_logsumexp(x), (anything(0, 4),)),
    Case(
        "cumulative_logsumexp infinite",
        lambda tf, x: tf.math.cumulative_logsumexp(x),
        (np.array([-INF, 1, 2]),),
        order=0,
    ),
    Case("count_nonzero", lambda tf, x: tf.math.count_nonzero(tf.nn.relu(x), axis=1), (anything(3, 4),), order=0),
    Case(
        "count_nonzero kinds",
        lambda tf, x: (
            tf.math.count_nonzero(["", "a"]),
            tf.math.count_nonzero(x > 0, dtype=tf.int32),
            tf.math.count_nonzero(tf.cast(x, tf.complex64), axis=[0], keepdims=True, dtype=tf.float32),
        ),
        (anything(3, 4),),
        order=0,
    ),
    Case(
        "bincount", lambda tf, x: tf.math.bincount(tf.cast(x, tf.int32)), (between(0, 6, 9),), order=0, compiled=False
    ),
    Case(
        "bincount forms",
        lambda tf, x: (
            tf.math.bincount(tf.cast(x, tf.int32), minlength=9),
            tf.math.bincount(tf.cast(x, tf.int64), maxlength=3, dtype=tf.int64),
            tf.math.bincount(tf.cast(x, tf.int32), axis=-1),
            tf.math.bincount(tf.cast(x, tf.int32), axis=-1, maxlength=2, binary_output=True),
            tf.math.bincount(tf.cast(x, tf.int32), weights=[[1.0, 2, 3], [4, 5, 6]], axis=-1),
            tf.math.bincount(tf.cast(x, tf.int32), weights=[[1, 2, 3], [4, 5, 6]], maxlength=4),
            tf.math.bincount(tf.zeros((2, 0), tf.int32), axis=-1),
            tf.math.bincount(tf.zeros((0,), tf.int32), minlength=2),
        ),
        (between(0, 6, 2, 3),),
        order=0,
        compiled=False,
    ),
    Case(
        "bincount of a given size",
        lambda tf, x: (
            tf.math.bincount(tf.cast(x, tf.int32), minlength=4, maxlength=4),
            tf.math.bincount(tf.cast(x, tf.int32), minlength=9, maxlength=9, axis=-1, binary_output=True),
            tf.math.bincount(tf.cast(x, tf.int64), weights=[[1.0, 2, 3], [4, 5, 6]], minlength=3, maxlength=3),
        ),
        (between(0, 6, 2, 3),),
        order=0,
    ),
    Case(
        "histogram_fixed_width",
        # TensorFlow raises a LookupError: it has no gradient for this op.
        lambda tf, x: tf.histogram_fixed_width(tf.stop_gradient(x), tf.constant([-1.0, 1.5], x.dtype), nbins=5),
        (anything(3, 4),),
        order=0,
    ),
    Case(
        "histogram_fixed_width_bins",
        lambda tf, x: tf.histogram_fixed_width_bins(x, tf.constant([-1.0, 1.5], x.dtype), nbins=5),
        (anything(3, 4),),
        order=0,
    ),
    # TensorFlow holds the mean inside the variance fixed, so its second derivative lacks a term; ours is the true one.
    Case("moments", lambda tf, x: tf.nn.moments(x, axes=[0]), (anything(3, 4),), second=False),
    Case("moments over no axes", lambda tf, x: tf.nn.moments(x, []), (anything(1, 4, 1),), second=False),
    Case(
        "moments over no axes keepdims",
        lambda tf, x: tf.nn.moments(x, [], keepdims=True),
        (anything(1, 4),),
        second=False,
    ),
    Case("moments keepdims", lambda tf, x: tf.nn.moments(x, -1, keepdims=True), (anything(3, 4),), second=False),
    Case(
        "moments of other kinds",
        lambda tf, x: (tf.nn.moments(tf.cast(9 * x, tf.int32), 0), tf.nn.moments(tf.complex(x, x), 0)[1]),
        (anything(3, 4),),
        second=False,
    ),
    Case(
        "weighted_moments",
        lambda tf, x, w: tf.nn.weighted_moments(x, [0, -1], w),
        (anything(3, 2, 4), positive(3, 1, 1)),
    ),
    Case(
        "weighted_moments by whole numbers",
        lambda tf, x: tf.nn.weighted_moments(x, [0], tf.constant([[1], [2], [1]])),
        (anything(3, 4),),
    ),
    Case(
        "weighted_moments keepdims",
        lambda tf, x: tf.nn.weighted_moments(x, 0, 2.0, keepdims=True),
        (anything(3, 4),),
    ),
    Case("sufficient_statistics", lambda tf, x: tf.nn.sufficient_statistics(x, [-1])[1:3], (anything(3, 4),)),
    Case(
        "normalize_moments",
        lambda tf, x: tf.nn.normalize_moments(*tf.nn.sufficient_statistics(x, [0, 1], tf.constant(0.5, x.dtype), True)),
        (anything(3, 4),),
    ),
    Case("zero_fraction", lambda tf, x: tf.nn.zero_fraction(tf.nn.relu(x)), (anything(3, 4),), order=0),
    Case("zero_fraction empty", lambda tf, x: tf.math.zero_fraction(x), (anything(0, 4),), order=0),
    Case(
        "confusion_matrix",
        lambda tf, x: (
            tf.math.confusion_matrix(tf.cast(x, tf.int32), [0, 1, 2, 3, 0]),
            tf.math.confusion_matrix([0, 1, 2, 3, 0], tf.cast(x, tf.int64)[:, None], num_classes=5, dtype=tf.float32),
            tf.math.confusion_matrix([0, 1, 2, 3, 0], tf.cast(x, tf.int32), weights=[1, 2, 3, 4, 5]),
        ),
        (between(0, 4, 5),),
        order=0,
        compiled=False,
    ),
    Case(
        "confusion_matrix of given classes",
        lambda tf, x: tf.math.confusion_matrix([0, 1, 2, 3, 0], tf.cast(x, tf.int64), num_classes=5),
        (between(0, 4, 5),),
        order=0,
    ),
    Case(
        "confusion_matrix weights",
        lambda tf, x: tf.math.confusion_matrix([0, 1, 0], [1, 1, 1], weights=x, dtype=x.dtype),
        (anything(3),),
    ),
    Case("l2_loss", lambda tf, x: tf.nn.l2_loss(x), (anything(3, 4),)),
    Case("l2_loss empty", lambda tf, x: tf.nn.l2_loss(x), (anything(0, 4),)),
    *[
        Case(
            f"{name} in half precision",
            function,
            (anything(3, 4),),
            order=0,
            dtypes=("float16", "bfloat16"),
        )
        for name, function in {
            "reduce_sum": lambda tf, x: tf.reduce_sum(x, axis=1),
            "reduce_mean": lambda tf, x: tf.reduce_mean(x, axis=1),
            "reduce_prod": lambda tf, x: tf.reduce_prod(x, axis=1),
            "reduce_max": lambda tf, x: tf.reduce_max(x, axis=1),
            "reduce_variance": lambda tf, x: tf.math.reduce_variance(x, axis=1),
            "reduce_logsumexp": lambda tf, x: tf.reduce_logsumexp(x, axis=1),
            "reduce_euclidean_norm": lambda tf, x: tf.math.reduce_euclidean_norm(x, axis=1),
            "argmax": lambda tf, x: (tf.argmax(x, axis=1), tf.argmin(x, axis=1)),
            "softmax": lambda tf, x: tf.nn.softmax(x) * x,
            "log_softmax": lambda tf, x: tf.nn.log_softmax(x),
            "moments": lambda tf, x: tf.nn.moments(x, 1),
            "l2_loss": lambda tf, x: tf.nn.l2_loss(x),
            "cumsum": lambda tf, x: tf.cumsum(x),
            "cumprod": lambda tf, x: tf.math.cumprod(x, exclusive=True),
            "cumulative_logsumexp": lambda tf, x: tf.math.cumulative_logsumexp(x),
        }.items()
    ],
    Case("cumsum empty", lambda tf, x: tf.cumsum(x, exclusive=True), (anything(0, 4),)),
]

BAD_INPUT = [
    BadInput(
        "no gradient of bincount",
        lambda tf: gradient_in_float32(tf, lambda x: tf.math.bincount([0, 1, 1], weights=x), [1.0, 2.0, 3.0]),
        "gradient registry has no entry for: DenseBincount",
        LookupError,
    ),
    BadInput(
        "reduce_sum axis of strings",
        lambda tf: tf.reduce_sum([1.0], axis="a"),
        "Value for attr 'Tidx' of string is not in the list of allowed values: int32, int64",
    ),
    BadInput(
        "reduce_max complex",
        lambda tf: tf.reduce_max([1j]),
        "Value for attr 'T' of complex128 is not in the list of allowed values",
    ),
    BadInput(
        "reduce_any float tensor",
        lambda tf: tf.reduce_any(tf.constant([1.0])),
        "cannot compute Any as input #0(zero-based) was expected to be a bool tensor but is a float tensor",
    ),
    BadInput(
        "reduce_all float list",
        lambda tf: tf.reduce_all([[1.0, 0.0]]),
        "Cannot convert [[1.0, 0.0]] to EagerTensor of dtype bool",
        error=TypeError,
    ),
    BadInput(
        "reduce_std int",
        lambda tf: tf.math.reduce_std([1, 2]),
        "Input must be either real or complex. Received integer type <dtype: 'int32'>.",
        error=TypeError,
    ),
    BadInput(
        "reduce_sum None",
        lambda tf: tf.reduce_sum(None),
        "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor.",
        error=ValueError,
    ),
    BadInput(
        "argmax axes",
        lambda tf: tf.argmax([1.0], axis=[0]),
        "axis must be int or Tensor with integer datatype",
        error=TypeError,
    ),
    BadInput(
        "argmin axes",
        lambda tf: tf.argmin([1.0], axis=[0, 1]),
        "dim must be a scalar, but received tensor of shape: [2]",
    ),
    BadInput(
        "argmax output type",
        lambda tf: tf.argmax([1.0], output_type=tf.float32),
        "Value for attr 'output_type' of float is not in the list of allowed values: int16, uint16, int32, int64",
    ),
    BadInput("cumsum axes", lambda tf: tf.cumsum([1.0], axis=[0]), "ScanOp: axis must be a scalar, not [1]"),
    BadInput(
        "confusion_matrix label", lambda tf: tf.math.confusion_matrix([-1], [1]), "`labels` contains negative values."
    ),
    BadInput(
        "confusion_matrix prediction",
        lambda tf: tf.math.confusion_matrix([1], [5], num_classes=3),
        "`predictions` out of bound",
    ),
    BadInput(
        "confusion_matrix weights",
        lambda tf: tf.math.confusion_matrix([1, 2], [1, 2], weights=[1.0]),
        "Shapes (2,) and (1,) are incompatible",
        error=ValueError,
    ),
    BadInput("bincount negative", lambda tf: tf.math.bincount([-1, 1]), "Input arr must be non-negative!"),
    BadInput(
        "bincount negative by row",
        lambda tf: tf.math.bincount([[-1, 1]], axis=-1),
        "Input 'in' must be non-negative! Negative input value found: -1",
    ),
    BadInput(
        "bincount axis",
        lambda tf: tf.math.bincount([[1]], axis=1),
        "Unsupported value for argument axis=1. Only 0 and -1 are currently supported.",
        error=ValueError,
    ),
    BadInput(
        "bincount weights",
        lambda tf: tf.math.bincount([1, 1], weights=[1.0]),
        "`weights` must be the same shape as `arr` or a length-0 `Tensor`",
    ),
    BadInput(
        "bincount binary and weights",
        lambda tf: tf.math.bincount([1], weights=[1.0], binary_output=True),
        "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only one.",
        error=ValueError,
    ),
    BadInput("bincount maxlength", lambda tf: tf.math.bincount([1], maxlength=-1), "size (-1) must be non-negative"),
    BadInput(
        "bincount rank",
        lambda tf: tf.math.bincount(tf.ones((2, 2, 2), tf.int32), axis=-1),
        "Shape must be at most rank 2 but is rank 3",
    ),
    BadInput(
        "histogram range",
        lambda tf: tf.histogram_fixed_width([1.0], [5.0, 0.0]),
        "value_range should satisfy value_range[0] < value_range[1], but got '[5, 0]'",
    ),
    BadInput(
        "histogram ends",
        lambda tf: tf.histogram_fixed_width([1.0], [1.0, 2.0, 3.0]),
        "value_range should be a vector of 2 elements.",
    ),
    BadInput(
        "histogram bins",
        lambda tf: tf.histogram_fixed_width([1.0], [0.0, 5.0], nbins=0),
        "nbins should be a positive number, but got '0'",
    ),
    BadInput(
        "histogram nan",
        lambda tf: tf.histogram_fixed_width([NAN], [0.0, 5.0]),
        "Histogram values must not contain NaN",
    ),
    BadInput(
        "l2_loss int",
        lambda tf: tf.nn.l2_loss([1, 2]),
        "Value for attr 'T' of int32 is not in the list of allowed values",
    ),
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
