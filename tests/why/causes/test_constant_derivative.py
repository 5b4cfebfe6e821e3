"""The explanation of `constant-derivative`."""

import pytest

from tests.support.programs import facts_of, traced, warned

LINEAR = """
x = tf.Variable([2.0, 1.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(3.0 * x)
    dy = inner.gradient(y, x)
outer.gradient(dy, x)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = tf.reduce_sum(x ** 3)
    dy = inner.gradient(y, x)
outer.gradient(dy, x)
"""


@pytest.mark.parametrize("found_in", [traced, warned])
def test_a_linear_function_has_a_constant_slope(found_in, tmp_path):
    (cause,) = found_in(LINEAR, tmp_path)
    assert facts_of(cause) == (
        "constant-derivative",
        [
            (5, "tf.reduce_sum(3.0 * x)", "linear"),
            (6, "inner.gradient(y, x)", "differentiated here"),
            (7, "outer.gradient(dy, x)", "asked here"),
        ],
        {"x": "float32 (2,)"},
    )
    assert "`y` is linear in `x`, so its first derivative is constant" in cause.sentence
    assert 'unconnected_gradients="zero"' in cause.help


@pytest.mark.parametrize("found_in", [traced, warned])
def test_a_derivative_for_something_else_is_not_called_linear(found_in, tmp_path):
    text = """
    x, w = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = w * w + x * x
        penalty = inner.gradient(y, w) ** 2
    outer.gradient(penalty, x)
    """
    (cause,) = found_in(text, tmp_path)
    assert (cause.kind, cause.site.text) == ("constant-derivative", "inner.gradient(y, w)")
    assert "the derivative of `y` that it was computed from does not depend on `x`" in cause.sentence
