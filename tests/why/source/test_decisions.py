"""What a check of gradients for inf and nan is for: a program that only prints what it finds is warned of the nan."""

import pytest

from tests.support.programs import warned

PROGRAM = """
w = tf.Variable([0.0, 1.0])
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sqrt(w))
    g = tape.gradient(loss, w)
    THEN
"""


def causes_then(statement, folder):
    return [cause.kind for cause in warned(PROGRAM.replace("THEN", statement), folder)]


@pytest.mark.parametrize(
    "statement",
    [
        "print(tf.math.is_nan(g))",
        "print('nan:', bool(tf.reduce_any(tf.math.is_inf(g))))",
        "print(f'{int(tf.reduce_sum(tf.cast(tf.math.is_inf(g), tf.int32)))} are inf')",
        "bad = tf.math.count_nonzero(tf.math.is_inf(g)).numpy(); print(step, bad)",
    ],
)
def test_a_check_that_is_only_printed_is_no_remedy(statement, tmp_path):
    assert causes_then(statement, tmp_path) == ["infinite-slope"]


@pytest.mark.parametrize(
    "statement",
    [
        "w.assign_sub(tf.where(tf.math.is_finite(g), g, 0.0))",
        "bad = tf.reduce_any(tf.math.is_inf(g)); print(bad); w.assign_sub(g) if not bad else None",
        "finite = tf.math.is_finite(g); print(finite); w.assign_sub(tf.boolean_mask(g, finite)[0] * tf.ones(2))",
        "if tf.reduce_all(tf.math.is_finite(g)): w.assign_sub(g)",
        "assert not tf.reduce_all(tf.math.is_finite(g))",
    ],
)
def test_a_check_with_an_effect_is_one(statement, tmp_path):
    assert causes_then(statement, tmp_path) == []
