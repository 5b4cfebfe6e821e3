"""The explanation of `source-not-a-tensor`."""

import pytest

from tests.support.explanations import Refused, checks
from tests.support.programs import raised

# Line 1 of each program is empty.
CASES = {
    "a source in NumPy": Refused(
        """
        w, rates = tf.Variable([1.0]), np.ones(1)
        with tf.GradientTape() as recording:
            y = w * rates.astype("float32")
        recording.gradient(y, [w, rates])
        """,
        "source-not-a-tensor",
        (5, "recording.gradient(y, [w, rates])"),
        {"y": "float32 (1,)", "w": "float32 (1,)", "rates": "float64 (1,)"},
        "`rates` is a NumPy array",
        "recording.watch(tf.constant(rates))",
    ),
    "no sources": Refused(
        """
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            y = w * w
        tape.gradient(y, None)
        """,
        "source-not-a-tensor",
        (5, "tape.gradient(y, None)"),
        {"y": "float32 (1,)"},
        "the source is None",
        "give variables",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_the_wrong_element_of_a_list_of_sources_is_named(tmp_path):
    (cause,) = raised(
        """
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = w * 2.0
        tape.gradient(y, ["w"])
        """,
        tmp_path,
    )
    assert cause.kind == "source-not-a-tensor"
    assert cause.sentence == "`['w']` holds a str: a source is a variable or a tensor"
