"""The explanation of `index-out-of-range`."""

import pytest

from tests.support.explanations import Raised, Refused, checks

# Line 1 of each program is empty.
CASES = {
    "an index": Raised(
        """
        table = tf.ones([4, 2])
        y = tf.gather(table, [0, 4])
        """,
        "index-out-of-range",
        [(3, "tf.gather(table, [0, 4])", "failed here")],
        {"table": "float32 (4, 2)"},
    ),
    "a lookup": Refused(
        """
        table = tf.ones([10, 4])
        v = tf.nn.embedding_lookup(table, [1, 10])
        """,
        "index-out-of-range",
        (3, "tf.nn.embedding_lookup(table, [1, 10])"),
        {"table": "float32 (10, 4)"},
        "the index 10 of `[1, 10]` lies outside axis 0 of `table`, which has 10 elements",
        "indices run from 0 to 9: subtract 1 if they count from 1, or make `table` larger",
    ),
    "an item": Refused(
        """
        x = tf.ones([4, 2])
        y = x[1, 5]
        """,
        "index-out-of-range",
        (3, "x[1, 5]"),
        {"x": "float32 (4, 2)"},
        "the index 5 lies outside axis 1 of `x`, which has 2 elements",
        "indices run from 0 to 1",
    ),
    "too many indices": Refused(
        """
        x = tf.ones([4, 2])
        y = x[0, 1, 1]
        """,
        "index-out-of-range",
        (3, "x[0, 1, 1]"),
        {"x": "float32 (4, 2)"},
        "`x` has 2 axes, shape (4, 2), and is given more indices than that",
        "give 2 of them at most",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
