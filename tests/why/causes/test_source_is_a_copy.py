"""The explanation of `source-is-a-copy`."""

import pytest

from tests.support.explanations import NoGradient, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "a slice": NoGradient(
        """
        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            head = x[:2]
            y = tf.reduce_sum(x)
        tape.gradient(y, head)
        """,
        "source-is-a-copy",
        [
            (4, "x[:2]", "made here"),
            (5, "tf.reduce_sum(x)", "target made here"),
            (6, "tape.gradient(y, head)", "asked here"),
        ],
        {"head": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize("watched", ["x", "[a, x]"])
def test_a_watched_name_that_is_bound_again(watched, tmp_path):
    (cause,) = traced(
        f"""
        a, x = tf.constant(2.0), tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch({watched})
            x = a * tf.sin(x)
            y = tf.reduce_sum(x**2)
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.symptom, cause.likely) == ("source-is-a-copy", "wrong_value", True)
    assert [(each.line, each.role) for each in cause.sites] == [
        (5, "bound again here"),
        (4, "watched here"),
        (7, "asked here"),
    ]
    assert "x_0 = x before the tape" in cause.help


@pytest.mark.parametrize(
    "program",
    [
        "z = tf.sin(x)\n    y = z**2\ntape.gradient(y, z)",  # a name of its own
        "x = tf.sin(x)\n    tape.watch(x)\n    y = x**2\ntape.gradient(y, x)",  # watched again
        "x0 = x\n    x = tf.sin(x)\n    y = x**2\ntape.gradient(y, [x0, x])",  # both
    ],
)
def test_other_gradients_of_intermediate_tensors_are_no_finding(program, tmp_path):
    begin = "x = tf.constant(1.0)\nwith tf.GradientTape() as tape:\n    tape.watch(x)\n    "
    assert traced(begin + program, tmp_path) == []
