"""Rows for `whygrad.ops.elementwise`."""

from tests.support.cases import BadInput, Case, anything, positive

CASES = [
    Case("add", lambda tf, a, b: tf.add(a, b), (anything(2, 3), anything(2, 3)), complex=True),
    Case("add broadcast", lambda tf, a, b: a + b, (anything(2, 1, 3), anything(4, 1))),
    Case("subtract", lambda tf, a, b: tf.subtract(a, b), (anything(2, 3), anything(3)), complex=True),
    Case("multiply", lambda tf, a, b: tf.multiply(a, b), (anything(2, 3), anything(3)), complex=True),
    Case("multiply empty", lambda tf, a, b: tf.multiply(a, b), (anything(0, 3), anything(3))),
    Case("divide", lambda tf, a, b: a / b, (anything(2, 3), positive(2, 3)), complex=True),
    Case("negative", lambda tf, x: tf.negative(x), (anything(3),), complex=True),
    Case("square", lambda tf, x: tf.square(x), (anything(3),), complex=True),
    Case("exp", lambda tf, x: tf.exp(x), (anything(2, 3),), complex=True),
    Case("log", lambda tf, x: tf.math.log(x), (positive(2, 3),), complex=True),
    Case("sin", lambda tf, x: tf.sin(x), (anything(2, 3),), complex=True),
    Case("cos", lambda tf, x: tf.cos(x), (anything(2, 3),), complex=True),
    Case("tanh", lambda tf, x: tf.tanh(x), (anything(2, 3),), complex=True),
]

BAD_INPUT = [
    BadInput("add of shapes", lambda tf: tf.add(tf.ones(3), tf.ones(2)), "Incompatible shapes: [3] vs. [2]"),
    BadInput(
        "mul of dtypes",
        lambda tf: tf.ones(3) * tf.ones(3, tf.float64),
        "cannot compute Mul as input #1(zero-based) was expected to be a float tensor but is a double tensor",
    ),
    BadInput(
        "sin of int",
        lambda tf: tf.sin(tf.constant([1])),
        "Value for attr 'T' of int32 is not in the list of allowed values",
    ),
    BadInput(
        "int times float",
        lambda tf: tf.constant([1, 2]) * 2.5,
        "Cannot convert 2.5 to EagerTensor of dtype int32",
        error=TypeError,
    ),
]
