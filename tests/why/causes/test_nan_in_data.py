"""The explanation of `nan-in-data`."""

import pytest

from tests.support.explanations import NotFinite, checks

# Line 1 of each program is empty.
CASES = {
    "nan in the data": NotFinite(
        """
        data = np.array([[1.0, 2.0], [np.nan, 4.0]], "float32")
        w = tf.Variable([[1.0], [1.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.matmul(data, w))
        tape.gradient(y, w)
        """,
        "nan-in-data",
        [
            (5, "tf.matmul(data, w)", "first used here"),
            (5, "tf.matmul(data, w)", "came in here"),
            (6, "tape.gradient(y, w)", "asked here"),
        ],
        {"data": "float32 (2, 2)", "w": "float32 (2, 1)"},
        ["the data hold nan, 1 of 4 elements, the first at [1, 0]"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
