"""The explanation of `axis-out-of-range`."""

import pytest

from tests.support.explanations import Refused, checks

# Line 1 of each program is empty.
CASES = {
    "an axis": Refused(
        """
        s = tf.ones([2, 3])
        y = tf.reduce_sum(s, axis=2)
        """,
        "axis-out-of-range",
        (3, "tf.reduce_sum(s, axis=2)"),
        {"s": "float32 (2, 3)"},
        "`s` has 2 axes, shape (2, 3): there is no axis 2",
        "axes of `s` run from -2 to 1",
    ),
    "an axis of a scalar": Refused(
        """
        s = tf.constant(1.0)
        y = tf.nn.softmax(tf.reduce_sum(s), axis=1) if False else tf.reduce_mean(s, axis=0)
        """,
        "axis-out-of-range",
        (3, "tf.reduce_mean(s, axis=0)"),
        {"s": "float32 ()"},
        "`s` is a scalar, shape (): it has no axes, and no axis 0",
        "leave the axis out",
    ),
    "the place of a new axis": Refused(
        """
        y = tf.expand_dims(tf.ones([2, 3]), 5)
        """,
        "axis-out-of-range",
        (2, "tf.expand_dims(tf.ones([2, 3]), 5)"),
        {"tf.ones([2, 3])": "float32 (2, 3)"},
        "a new one cannot be at 5",
        "-3 to 2",
    ),
    "an order of axes": Refused(
        """
        x = tf.ones([3])
        y = tf.transpose(x, [1, 0])
        """,
        "axis-out-of-range",
        (3, "tf.transpose(x, [1, 0])"),
        {"x": "float32 (3,)"},
        "`x` has 1 axis, shape (3,), but perm names 2",
        "perm names each axis",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
