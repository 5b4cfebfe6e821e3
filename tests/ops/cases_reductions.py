"""Rows for `whygrad.ops.reductions`."""

from tests.support.cases import Case, anything

CASES = [
    Case("reduce_sum", lambda tf, x: tf.reduce_sum(x, axis=1), (anything(2, 3, 2),), complex=True),
]

BAD_INPUT = []
