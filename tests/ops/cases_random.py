"""Rows for `whygrad.ops.random` and `whygrad.ops.debugging`."""

from tests.support.cases import BadInput, Case, anything, between, positive, unit
from tests.support.gradients import gradient_in_float32

NAN = float("nan")
INF = float("inf")
SEED = (7, 11)

CASES = [
    Case(
        "normal",
        lambda tf, mean, stddev: tf.random.stateless_normal([4, 2], SEED, mean, stddev, mean.dtype),
        (anything(2), positive()),
    ),
    Case(
        "truncated_normal",
        lambda tf, mean, stddev: tf.random.stateless_truncated_normal([4, 2], SEED, mean, stddev, mean.dtype),
        (anything(4, 1), positive(2)),
    ),
    Case(
        "uniform",
        lambda tf, low, high: tf.random.stateless_uniform([4, 2], SEED, low, high, low.dtype),
        (unit(2), positive(4, 1)),
    ),
    Case(
        "stateful uniform",
        lambda tf, low, high: [tf.random.set_seed(1), tf.random.uniform([3], low, high, low.dtype, seed=3)][1],
        (unit(3), positive()),
    ),
    # A sample moves so that it keeps its quantile: no finite difference of the sampler shows that (test_random does).
    Case(
        "gamma",
        lambda tf, alpha, beta: tf.random.stateless_gamma([5, 2, 3], SEED, alpha, beta, alpha.dtype),
        (positive(3), positive(2, 1)),
        order=0,
        second=False,
    ),
    Case(
        "gamma of shape ()",
        lambda tf, alpha: tf.random.stateless_gamma([], SEED, alpha, dtype=alpha.dtype),
        (positive(),),
        order=0,
        second=False,
    ),
    Case(
        "poisson and binomial of shape ()",
        lambda tf: (tf.random.stateless_poisson([], SEED, 3.0), tf.random.stateless_binomial([], SEED, 10.0, 0.5)),
        (),
        order=0,
    ),
    Case(
        "gamma empty",
        lambda tf, alpha: tf.random.stateless_gamma([0, 3], SEED, alpha, dtype=alpha.dtype),
        (positive(3),),
        order=0,
        second=False,
    ),
    Case(
        "parameterized_truncated_normal",
        lambda tf, *parameters: tf.random.stateless_parameterized_truncated_normal([4, 2], SEED, *parameters),
        (unit(2), positive(), between(-4, -2, 2), between(2, 4, 2)),
        tensorflow=False,  # other numbers, and other gradients for mean and stddev: see its docstring
    ),
    Case(
        "parameterized_truncated_normal in the upper tail",
        lambda tf, *parameters: tf.random.stateless_parameterized_truncated_normal([4, 2], SEED, *parameters),
        (unit(2), positive(), between(3, 4, 2), between(5, 6, 2)),
        tensorflow=False,
    ),
    Case(
        "categorical",
        lambda tf, logits: tf.random.stateless_categorical(logits, 6, SEED),
        (anything(3, 4),),
        order=0,
    ),
    Case(
        "poisson of an infinite rate",
        lambda tf: [
            tf.random.stateless_poisson([2], SEED, [float("inf"), 2.0], dtype) for dtype in (tf.float32, tf.int32)
        ],
        (),
        order=0,
    ),
    Case("poisson", lambda tf, rate: tf.random.stateless_poisson([5, 3], SEED, rate), (positive(3),), order=0),
    Case(
        "binomial",
        lambda tf, p: tf.random.stateless_binomial([5, 3], SEED, tf.constant(20.0, p.dtype), p),
        (between(0.1, 0.9, 3),),
        order=0,
    ),
    Case(
        "shuffle",
        lambda tf, x: [tf.random.set_seed(1), tf.random.shuffle(x, seed=3)][1],
        (anything(5, 2),),
        order=0,
    ),
    # Gradients through these are a LookupError, in TensorFlow and here: only values are compared.
    Case(
        "stateless_shuffle",
        lambda tf, x: tf.random.experimental.stateless_shuffle(tf.stop_gradient(x), SEED),
        (anything(5, 2),),
        order=0,
    ),
    Case(
        "stateful poisson",
        lambda tf, x: [tf.random.set_seed(1), tf.random.poisson([2], tf.stop_gradient(x), seed=3)][1:],
        (between(0.1, 0.9, 2),),
        order=0,
    ),
    Case(
        "stateful binomial",
        lambda tf, x: tf.random.Generator.from_seed(1).binomial(
            [2], [3.0, 4.0], tf.cast(tf.stop_gradient(x), tf.float32)
        ),
        (between(0.1, 0.9, 2),),
        order=0,
        compiled=False,  # a generator makes a variable, which a function may do only once
    ),
    Case("check_numerics", lambda tf, x: tf.debugging.check_numerics(x, "x"), (anything(2, 3),)),
    Case("check_numerics empty", lambda tf, x: tf.debugging.check_numerics(x, "x"), (anything(0, 3),)),
    Case("assert_all_finite", lambda tf, x: tf.debugging.assert_all_finite(x, "x"), (anything(),)),
]

BAD_INPUT = [
    BadInput(
        "check_numerics of nan",
        lambda tf: tf.debugging.check_numerics([1.0, NAN], "oops"),
        "oops : Tensor had NaN values",
    ),
    BadInput(
        "check_numerics of inf",
        lambda tf: tf.debugging.check_numerics([1.0, -INF], "oops"),
        "oops : Tensor had Inf values",
    ),
    BadInput(
        "check_numerics of both",
        lambda tf: tf.debugging.check_numerics([INF, NAN], "oops"),
        "oops : Tensor had Inf and NaN values",
    ),
    BadInput(
        "check_numerics of int",
        lambda tf: tf.debugging.check_numerics([1, 2], "oops"),
        "Value for attr 'T' of int32 is not in the list of allowed values: bfloat16, half, float, double",
    ),
    BadInput(
        "check_numerics without a message",
        lambda tf: tf.debugging.check_numerics(1.0, 3),
        "Expected string for argument 'message' not 3.",
        error=TypeError,
    ),
    BadInput("normal of a negative size", lambda tf: tf.random.normal([2, -1]), "Dimension -1 must be >= 0"),
    BadInput(
        "normal of a number as shape",
        lambda tf: tf.random.normal(3),
        "shape must be a vector of {int32,int64}, got shape []",
    ),
    BadInput(
        "normal of a matrix as shape",
        lambda tf: tf.random.normal([[2]]),
        "shape must be a vector of {int32,int64}, got shape [1,1]",
    ),
    BadInput(
        "normal of a float as shape",
        lambda tf: tf.random.normal([2.5]),
        "Value for attr 'T' of float is not in the list of allowed values: int32, int64",
    ),
    BadInput(
        "normal of int",
        lambda tf: tf.random.normal([2], dtype=tf.int32),
        "Cannot convert 0.0 to EagerTensor of dtype int32",
        TypeError,
    ),
    BadInput(
        "normal of complex",
        lambda tf: tf.random.normal([2], dtype=tf.complex64),
        "Value for attr 'dtype' of complex64 is not in the list of allowed values: half, bfloat16, float, double",
    ),
    BadInput(
        "normal of another dtype's mean",
        lambda tf: tf.random.normal([2], tf.constant(1.0, tf.float64)),
        "Tensor conversion requested dtype float32 for Tensor with dtype float64",
        ValueError,
    ),
    BadInput(
        "normal that does not broadcast",
        lambda tf: tf.random.normal([3], tf.zeros(2)),
        "Incompatible shapes: [3] vs. [2]",
    ),
    BadInput(
        "normal too large",
        lambda tf: tf.random.normal([2**40, 2**40]),
        "Shape [1099511627776,1099511627776] would have more than 2**63 - 1 elements",
    ),
    BadInput(
        "uniform int without maxval",
        lambda tf: tf.random.uniform([2], dtype=tf.int32),
        "Must specify maxval for integer dtype tf.int32",
        ValueError,
    ),
    BadInput(
        "uniform of uint8",
        lambda tf: tf.random.uniform([2], maxval=9, dtype=tf.uint8),
        "Argument `dtype` got invalid value <dtype: 'uint8'>. Accepted dtypes are (tf.float16, tf.bfloat16,",
        ValueError,
    ),
    BadInput(
        "uniform of an empty range",
        lambda tf: tf.random.uniform([2], 3, 3, tf.int32),
        "Need minval < maxval, got 3 >= 3",
    ),
    BadInput(
        "uniform int of vectors",
        lambda tf: tf.random.uniform([2], [1, 2], 3, tf.int32),
        "minval must be 0-D, got shape [2]",
    ),
    BadInput(
        "uniform int of a float",
        lambda tf: tf.random.uniform([2], 1.5, 3, tf.int32),
        "Cannot convert 1.5 to EagerTensor of dtype int32",
        TypeError,
    ),
    BadInput(
        "stateless seed of one", lambda tf: tf.random.stateless_normal([2], 1), "seed must have shape [2], not []"
    ),
    BadInput(
        "stateless seed of three",
        lambda tf: tf.random.stateless_normal([2], [1, 2, 3]),
        "seed must have shape [2], not [3]",
    ),
    BadInput(
        "stateless seed of floats",
        lambda tf: tf.random.stateless_normal([2], [1.0, 2.0]),
        "Value for attr 'Tseed' of float is not in the list of allowed values: int32, int64",
    ),
    BadInput(
        "stateless alg unknown",
        lambda tf: tf.random.stateless_normal([2], [1, 2], alg="foo"),
        "Argument `alg` got unsupported value foo.",
        ValueError,
    ),
    BadInput(
        "stateless alg number unknown",
        lambda tf: tf.random.stateless_normal([2], [1, 2], alg=7),
        "Argument `alg` got unsupported value 7.",
        ValueError,
    ),
    BadInput(
        "stateless alg of a wrong type",
        lambda tf: tf.random.stateless_normal([2], [1, 2], alg=1.5),
        "Can't convert argument `alg` (of value 1.5",
        TypeError,
    ),
    BadInput(
        "stateless alg threefry",
        lambda tf: tf.random.stateless_normal([2], [1, 2], alg="threefry"),
        "counter must be a vector with length at least 2; got shape: [1].",
    ),
    BadInput(
        "stateless_uniform int without maxval",
        lambda tf: tf.random.stateless_uniform([2], [1, 2], dtype=tf.int32),
        "For integer `dtype` argument <dtype: 'int32'>, argument `minval` and `maxval` must be both None or not None.",
        ValueError,
    ),
    BadInput(
        "stateless_uniform of unsigned",
        lambda tf: tf.random.stateless_uniform([2], [1, 2], 0, 3, tf.uint32),
        "Please don't use unsigned integers in this case.",
        ValueError,
    ),
    BadInput(
        "categorical of a vector",
        lambda tf: tf.random.categorical([0.0, 1.0], 3),
        "logits should be a matrix, got shape [2]",
    ),
    BadInput(
        "categorical of a negative count",
        lambda tf: tf.random.categorical([[0.0, 1.0]], -3),
        "num_samples should be non-negative, got -3",
    ),
    BadInput(
        "categorical of a vector of counts",
        lambda tf: tf.random.categorical([[0.0, 1.0]], [3]),
        "num_samples should be a scalar, got shape [1]",
    ),
    BadInput(
        "categorical of half a sample",
        lambda tf: tf.random.categorical([[0.0, 1.0]], 2.5),
        "Cannot convert 2.5 to EagerTensor of dtype int32",
        TypeError,
    ),
    BadInput(
        "categorical as float",
        lambda tf: tf.random.categorical([[0.0, 1.0]], 3, tf.float32),
        "Argument `dtype` got invalid value <dtype: 'float32'>. Accepted dtypes are (tf.int32, tf.int64).",
        ValueError,
    ),
    BadInput(
        "categorical of no class",
        lambda tf: tf.random.categorical(tf.zeros((2, 0)), 3),
        "num_classes should be positive, got 0",
    ),
    BadInput(
        "gamma of half a sample",
        lambda tf: tf.random.gamma([2.5], 1.0),
        "Cannot convert [2.5] to EagerTensor of dtype int32",
        TypeError,
    ),
    BadInput(
        "categorical of int64 counts",
        lambda tf: tf.random.categorical([[0.0, 1.0]], tf.constant(2, tf.int64)),
        "cannot compute Multinomial as input #1(zero-based) was expected to be a int32 tensor but is a int64 tensor",
    ),
    *[
        BadInput(
            f"no gradient of {op_name}",
            lambda tf, draw=draw: gradient_in_float32(tf, lambda x: draw(tf, x) + x, [0.25, 0.5]),
            f"gradient registry has no entry for: {op_name}",
            LookupError,
        )
        for op_name, draw in [
            ("RandomPoissonV2", lambda tf, x: tf.random.poisson([], x)),
            (
                "StatefulRandomBinomial",
                lambda tf, x: tf.random.Generator.from_seed(1).binomial([2], [3.0, 4.0], x, tf.float32),
            ),
            ("StatelessShuffle", lambda tf, x: tf.random.experimental.stateless_shuffle(x, SEED)),
        ]
    ],
    BadInput(
        "poisson of a number as shape",
        lambda tf: tf.random.poisson(2, 1.0),
        "shape must be a vector of {int32,int64}, got shape []",
    ),
    BadInput("gamma of int", lambda tf: tf.random.gamma([2], [1], dtype=tf.int32), "not inexact", ValueError),
    BadInput(
        "gamma of a number as shape",
        lambda tf: tf.random.gamma(2, [1.0]),
        "shape must be a vector of {int32,int64}, got shape",
    ),
    BadInput(
        "stateless_gamma of another shape",
        lambda tf: tf.random.stateless_gamma([2], [1, 2], [1.0, 2.0, 3.0]),
        "Shape passed in must end with broadcasted shape.",
    ),
    BadInput(
        "stateless_poisson of another shape",
        lambda tf: tf.random.stateless_poisson([2], [1, 2], [1.0, 2.0, 3.0]),
        "Shape passed in must end with broadcasted shape.",
    ),
    BadInput(
        "stateless_binomial of another shape",
        lambda tf: tf.random.stateless_binomial([2], [1, 2], [1.0, 2.0, 3.0], 0.5),
        "Shape passed in must end with broadcasted shape.",
    ),
    BadInput(
        "stateless_binomial as int8",
        lambda tf: tf.random.stateless_binomial([2], [1, 2], 10.0, 0.5, tf.int8),
        "Value for attr 'dtype' of int8 is not in the list of allowed values: half, float, double, int32, int64",
    ),
    BadInput(
        "poisson as complex",
        lambda tf: tf.random.poisson([2], 1.0, tf.complex64),
        "Value for attr 'dtype' of complex64 is not in the list of allowed values: half, float, double, int32, int64",
    ),
    BadInput(
        "truncated normal of no range",
        lambda tf: tf.random.stateless_parameterized_truncated_normal([5], [1, 2], 0.0, 1.0, 2.0, -1.0),
        "Invalid parameters",
    ),
    BadInput(
        "truncated normal of a negative deviation",
        lambda tf: tf.random.stateless_parameterized_truncated_normal([5], [1, 2], 0.0, -1.0),
        "Invalid parameters",
    ),
    BadInput(
        "truncated normal of another shape",
        lambda tf: tf.random.stateless_parameterized_truncated_normal([2], [1, 2], [0.0, 1.0, 2.0]),
        "Shape passed in must end with broadcasted shape.",
    ),
]
