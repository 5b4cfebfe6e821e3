"""The explanation of `gradient-not-applied`."""

import pytest

from tests.support.explanations import WrongValue, checks

# Line 1 of each program is empty.
CASES = {
    "clipped, and not used": WrongValue(
        """
        w = tf.Variable([3.0, -2.0])
        for step in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w ** 4)
            grad = tape.gradient(loss, w)
            clipped = tf.clip_by_norm(grad, 1.0)
            w.assign_sub(0.01 * grad)
        """,
        "gradient-not-applied",
        [
            (7, "tf.clip_by_norm(grad, 1.0)", "computed here"),
            (8, "w.assign_sub(0.01 * grad)", "updated here without it"),
        ],
        {},
        ["`clipped`", "no update uses it", "in place of `grad`"],
    ),
    "added up, and not used": WrongValue(
        """
        w = tf.Variable([3.0, -2.0])
        total = tf.zeros(2)
        for part in (0.5, 1.5):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((part * w) ** 2)
            grad = tape.gradient(loss, w)
            total += grad
        w.assign(w - 0.1 * grad)
        """,
        "gradient-not-applied",
        [(8, "total += grad", "computed here"), (9, "w.assign(w - 0.1 * grad)", "updated here without it")],
        {},
        ["`total`", "no update uses it"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
