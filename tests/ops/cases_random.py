"""Rows for `whygrad.ops.random` and `whygrad.ops.debugging`."""

import numpy as np
from tests.support.cases import BadInput, Case, anything, positive

NAN = float("nan")
INF = float("inf")
SEED = (7, 11)

CASES = [
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
]
