"""Rows for `whygrad.ops.sorting`."""

from tests.support.cases import BadInput, Case, anything

CASES = [
    Case("sort", lambda tf, x: tf.sort(x), (anything(3, 5),)),
    Case("sort descending", lambda tf, x: tf.sort(x * x, axis=0, direction="DESCENDING"), (anything(3, 5),)),
    Case("sort empty", lambda tf, x: tf.sort(x), (anything(3, 0),)),
]

BAD_INPUT = [
    BadInput(
        "sort direction",
        lambda tf: tf.sort([1.0], direction="UP"),
        "Argument `direction` should be one of ASCENDING, DESCENDING. Received: direction=UP",
        error=ValueError,
    ),
]
