"""The explanation of `nan-in-data`."""

import pytest

from tests.support.explanations import NotFinite, checks
from tests.support.programs import traced, warned

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
        ["`data` holds nan, 1 of 4 elements, the first at [1, 0]"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


# The update divides by the norm of a gradient that is zero, outside of the tape.
UPDATED = """
w, head = tf.Variable([[2.0]]), tf.Variable([[0.0]])
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.constant([[1.0]]) @ w @ head - 1.0) ** 2)
    for v, g in zip([w, head], tape.gradient(loss, [w, head])):
        v.assign_sub(0.1 * (g / tf.norm(g)))
"""


def test_nan_that_was_assigned_is_followed_to_the_op_that_made_it(tmp_path):
    (cause,) = [each for each in traced(UPDATED, tmp_path) if each.symptom == "nonfinite"]
    assert cause.kind == "zero-divided-by-zero"
    assert (cause.site.line, cause.site.text) == (7, "g / tf.norm(g)")


def test_without_a_trace_a_variable_that_an_update_made_nan_is_no_data(tmp_path):
    cause = warned(UPDATED, tmp_path)[-1]
    assert cause.kind == "not-finite-here"
    assert (
        "`w` held nan, its only element, before anything was computed: an update before this call made it"
        in cause.sentence
    )


def test_a_variable_that_began_with_nan_holds_data(tmp_path):
    program = """
    w = tf.Variable([float("nan"), 1.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * 2.0)
        loss = loss * loss
    tape.gradient(loss, w)
    """
    assert [cause.kind for cause in warned(program, tmp_path)] == ["nan-in-data"]
