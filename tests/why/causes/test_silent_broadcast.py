"""The explanation of `silent-broadcast`."""

import pytest

from tests.support.explanations import WrongValue, checks
from tests.support.programs import facts_of, traced, warned

# Line 1 of each program is empty.
CASES = {
    "a column with a vector": WrongValue(
        """
        p, y = tf.Variable([[1.0], [2.0], [3.0]]), tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((p - y) ** 2)
        tape.gradient(loss, p)
        """,
        "silent-broadcast",
        [(4, "p - y", "broadcast here"), (5, "tape.gradient(loss, p)", "asked here")],
        {"p": "float32 (3, 1)", "y": "float32 (3,)"},
        [
            "`p` of shape (3, 1) and `y` of shape (3,) were both repeated, to a table of shape (3, 3)",
            "tf.reshape(y, p.shape)",
        ],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_a_broadcast_warns_without_a_trace(tmp_path):
    case = CASES["a column with a vector"]
    (cause,) = warned(case.program, tmp_path)
    assert facts_of(cause) == (case.kind, case.sites, case.shapes)
    assert cause.likely


@pytest.mark.parametrize(
    "expression",
    ["a[:, None] - b", "tf.expand_dims(a, 1) - b", "tf.reshape(a, (-1, 1)) * b", "a[:, tf.newaxis] + b[tf.newaxis, :]"],
)
def test_an_intended_broadcast_is_no_finding(expression, tmp_path):
    program = f"""
        a, b = tf.Variable([1.0, 2.0, 3.0]), tf.constant([1.0, 5.0, 9.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(({expression}) ** 2)
        tape.gradient(y, a)
        """
    assert traced(program, tmp_path) == []
