"""The explanation of `piecewise-linear-second-derivative`."""

import numpy as np
import pytest

from tests.support.explanations import Zero, checks
from tests.support.programs import traced, warned

# Line 1 of each program is empty.
CASES = {
    "a second derivative of pieces": Zero(
        """
        x = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as second:
            with tf.GradientTape() as first:
                y = tf.reduce_sum(tf.abs(x))
            slope = first.gradient(y, x)
        second.gradient(slope, x)
        """,
        "piecewise-linear-second-derivative",
        [(5, "tf.abs(x)", "linear in pieces"), (7, "second.gradient(slope, x)", "asked here")],
        {"x": "float32 (2,)"},
        ["tf.abs is linear in pieces", "use a smooth function"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize("found_in", [traced, warned])
def test_a_piecewise_linear_function_with_and_without_a_trace(found_in, tmp_path):
    text = """
    x = tf.Variable([2.0, -1.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.abs(x))
        dy = inner.gradient(y, x)
    outer.gradient(dy, x)
    """
    causes = found_in(text, tmp_path)
    assert [(c.kind, c.site.text) for c in causes][:1] in (
        [("piecewise-linear-second-derivative", "tf.abs(x)")],
        [],  # zeros, where the rule has them: only a trace looks at numbers
    )
    assert causes or found_in is warned


@pytest.mark.parametrize("found_in", [traced, warned])
def test_the_hessian_of_a_function_whose_gradient_is_not_zero(found_in, tmp_path):
    program = """
        def cost(theta):
            return np.mean(np.abs(2.0 * theta - 1.0))

        hessian = tf.hessian(cost)(np.array([3.0, -4.0]))
        """
    (cause,) = found_in(program, tmp_path, np=np)
    assert (cause.kind, cause.site.text) == ("piecewise-linear-second-derivative", "np.abs(2.0 * theta - 1.0)")
