"""The explanation of `sparse-gradient-arithmetic`."""

import pytest

from tests.support.explanations import Raised, Refused, checks

# Line 1 of each program is empty.
CASES = {
    "sparse": Raised(
        """
        table = tf.Variable(tf.ones([4, 2]))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [0, 3]))
        g = tape.gradient(y, table)
        step = g * 0.1
        """,
        "sparse-gradient-arithmetic",
        [(6, "g * 0.1", "used as a dense tensor here")],
        {"g": "float32 (4, 2)"},
    ),
    "a sparse gradient before a number": Refused(
        """
        table = tf.Variable(tf.ones([4, 2]))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [0, 3]))
        g = tape.gradient(y, table)
        step = 0.1 * g
        """,
        "sparse-gradient-arithmetic",
        (6, "0.1 * g"),
        {"g": "float32 (4, 2)"},
        "`g` is a tf.IndexedSlices",
        "tf.convert_to_tensor(g), or work with g.values and g.indices",
    ),
    "a method of a sparse gradient": Refused(
        """
        table = tf.Variable(tf.ones([4, 2]))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [0, 3]))
        g = tape.gradient(y, table)
        print(g.numpy())
        """,
        "sparse-gradient-arithmetic",
        (6, "g.numpy"),
        {"g": "float32 (4, 2)"},
        "`g` is a tf.IndexedSlices",
        "tf.convert_to_tensor(g)",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
