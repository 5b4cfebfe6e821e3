"""Rows for `whygrad.ops.shaping` and `whygrad.ops.creation`."""

from tests.support.cases import BadInput, Case, anything

CASES = [
    Case("reshape", lambda tf, x: tf.reshape(x, (3, -1)), (anything(2, 3),), complex=True),
]

BAD_INPUT = [
    BadInput(
        "reshape",
        lambda tf: tf.reshape(tf.ones(3), (2, 2)),
        "Input to reshape is a tensor with 3 values, but the requested shape has 4",
    ),
]
