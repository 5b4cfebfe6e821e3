"""The explanation of `branch-not-taken`."""

import numpy as np
import pytest

import whygrad
from tests.support.explanations import NoGradient, checks
from tests.support.programs import facts_of, traced, warned

# Line 1 of each program is empty.
CASES = {
    "a branch not taken": NoGradient(
        """
        a, b, late = tf.Variable(1.0), tf.Variable(2.0), False
        with tf.GradientTape() as tape:
            y = a * 2.0
            if late:
                y = y * b
        tape.gradient(y, [a, b])
        """,
        "branch-not-taken",
        [(5, "late", "decided here"), (6, "b", "not reached"), (7, "tape.gradient(y, [a, b])", "asked here")],
        {"b": "float32 ()"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_a_branch_that_the_source_itself_decided(tmp_path):
    text = """
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            if w > 2.0:
                loss = tf.constant(1.0)
            else:
                loss = w * 2.0
        tape.gradient(loss, w)
        """
    for (cause,) in (traced(text, tmp_path), warned(text, tmp_path)):
        assert facts_of(cause)[:2] == (
            "branch-not-taken",
            [(4, "w > 2.0", "decided here"), (7, "w", "not reached"), (8, "tape.gradient(loss, w)", "asked here")],
        )
        assert "only in a branch that was not taken, and in the condition that chooses the branch" in cause.sentence


def test_a_branch_of_a_function_that_gives_a_number(tmp_path):
    program = """
        def f(x):
            if x[0] > 0:
                return np.sum(np.maximum(x, 0))
            return 0.0
        whygrad.grad(f)(np.array([-1.0, 2.0]))
        """
    (cause,) = warned(program, tmp_path, np=np, whygrad=whygrad)
    assert facts_of(cause)[:2] == (
        "branch-not-taken",
        [(3, "x[0] > 0", "decided here"), (4, "x", "not reached"), (6, "whygrad.grad(f)(np.array([-1.0, 2.0]))", "asked here")],
    )  # fmt: skip
    assert not cause.likely
