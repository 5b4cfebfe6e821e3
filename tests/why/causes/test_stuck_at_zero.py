"""The explanation of `stuck-at-zero`."""

import numpy as np
import pytest

import whygrad
from tests.support.explanations import Zero, checks
from tests.support.programs import traced, warned

# Line 1 of each program is empty.
CASES = {
    "two layers of zeros": Zero(
        """
        w1 = tf.Variable(tf.zeros((2, 4)))
        w2 = tf.Variable(tf.zeros((4, 1)))
        with tf.GradientTape() as tape:
            h = tf.tanh(tf.constant([[0.5, -1.0]]) @ w1)
            loss = tf.reduce_mean((h @ w2 - 1.0) ** 2)
        tape.gradient(loss, [w1, w2])
        """,
        "stuck-at-zero",
        [
            (3, "tf.Variable(tf.zeros((4, 1)))", "starts here"),
            (6, "h @ w2", "multiplied by zeros here"),
            (7, "tape.gradient(loss, [w1, w2])", "asked here"),
        ],
        {"w2": "float32 (4, 1)"},
        [
            "in `h @ w2` it is multiplied by `w2`, which is 0 at all 4 elements",
            "the gradient of `w2` is zero as well",
            "w2 = tf.Variable(tf.random.normal((4, 1), stddev=0.1))",
        ],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize(
    ("a", "b", "loss"),
    [
        ("0.0", "0.5", "(a * b - 1.0) ** 2"),  # one of the two gets a gradient
        ("0.0", "0.0", "a * b + a ** 2 + b ** 2"),  # a minimum
        ("0.0", "0.0", "(a * b) ** 2 + 1.0"),
        ("0.0", "0.0", "0.0 * a * b + b"),
        ("1.0", "2.0", "a ** 2 - b * (a - 1.0)"),  # a constraint that is met
    ],
)
def test_one_factor_of_zeros_and_a_minimum_are_no_finding(a, b, loss, tmp_path):
    program = f"""
        a, b = tf.Variable({a}), tf.Variable({b})
        with tf.GradientTape() as tape:
            loss = {loss}
        tape.gradient(loss, [a, b])
        """
    assert traced(program, tmp_path) == []


def test_arguments_of_a_function_of_arrays(tmp_path):
    program = """
        def f(p):
            return np.sum(np.tanh(p[0]) @ p[1])
        whygrad.grad(f)([np.zeros((3, 4)), np.zeros(4)])
        """
    (cause,) = warned(program, tmp_path, np=np, whygrad=whygrad)
    assert cause.kind == "stuck-at-zero"
    assert "such as 0.1 * np.random.normal(size=(4,)) for `p[1]`" in cause.help
