"""The explanation of `variable-made-anew`."""

import pytest

from tests.support.programs import facts_of, traced

ANEW = """
xs = tf.ones([4, 2])
for i in range(4):
    w = tf.Variable(tf.ones([2, 1]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((xs @ w - 5.0) ** 2)
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
"""


def test_a_variable_created_in_every_iteration_is_a_likely_mistake(tmp_path):
    (cause,) = traced(ANEW, tmp_path)
    assert facts_of(cause) == (
        "variable-made-anew",
        [
            (4, "tf.Variable(tf.ones([2, 1]))", "made anew here"),
            (8, "w.assign_sub(0.1 * g)", "changed here"),
            (7, "tape.gradient(loss, w)", "asked here"),
        ],
        {"w": "float32 (2, 1)"},
    )
    assert cause.likely
    assert cause.symptom == "wrong_value"


@pytest.mark.parametrize(
    "change",
    [
        ("    w.assign_sub(0.1 * g)\n", ""),  # gradients at several points
        ("    w.assign_sub(0.1 * g)\n", "    w.assign_sub(0.1 * g)\n    print(w.numpy())\n"),  # one step from each
        ("    w.assign_sub(0.1 * g)\n", "    w.assign_sub(0.1 * g)\n    after = tf.reduce_sum(w)\n"),
        ("range(4)", "range(2)"),
    ],
    ids=["not changed", "shown", "used", "twice"],
)
def test_variables_created_for_one_step_each_are_no_finding(change, tmp_path):
    text = ANEW.replace(*change)
    assert text != ANEW
    assert traced(text, tmp_path) == []
