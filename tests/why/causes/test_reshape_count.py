"""The explanation of `reshape-count`."""

import pytest

from tests.support.explanations import Raised, Refused, checks

# Line 1 of each program is empty.
CASES = {
    "reshape": Raised(
        """
        x = tf.ones([4, 7])
        y = tf.reshape(x, (3, 3))
        """,
        "reshape-count",
        [(3, "tf.reshape(x, (3, 3))", "failed here")],
        {"x": "float32 (4, 7)"},
    ),
    "reshape of an image": Refused(
        """
        image = tf.ones([4, 7, 7])
        flat = tf.reshape(image, (4, 28))
        """,
        "reshape-count",
        (3, "tf.reshape(image, (4, 28))"),
        {"image": "float32 (4, 7, 7)"},
        "`image` (4, 7, 7) has 196 elements, but the new shape has 112",
        "tf.reshape(image, [4, -1]) gives (4, 49)",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
