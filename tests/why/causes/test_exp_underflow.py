"""The help for a 0 that an exponential rounded to."""

import pytest

from tests.support.programs import traced

TRANSPORT = """
cost = tf.constant([[30.0, 20.0], [1.0, 2.0]])
shift = tf.Variable(0.0)
with tf.GradientTape() as tape:
    kernel = tf.exp(-(cost + shift) / 0.1)
    u = 1.0 / tf.linalg.matvec(kernel, tf.ones(2))
    loss = tf.reduce_sum(u[:, None] * kernel)
tape.gradient(loss, shift)
"""


def test_the_exponential_is_named_where_its_sum_is_divided_by(tmp_path):
    (cause,) = traced(TRANSPORT, tmp_path)
    assert cause.kind in ("division-by-zero", "zero-divided-by-zero")
    assert "`tf.exp(-(cost + shift) / 0.1)` at line 5 is too small for float32 and becomes 0" in cause.help
    assert cause.help.startswith("work with logarithms, as tf.reduce_logsumexp does")
    assert "for exponents down to -300" in cause.help


def test_a_stable_form_is_written_out(tmp_path):
    program = """
    x = tf.Variable([-200.0, -300.0])
    with tf.GradientTape() as tape:
        loss = tf.math.log(tf.reduce_sum(tf.exp(x), axis=0))
    tape.gradient(loss, x)
    """
    (cause,) = traced(program, tmp_path)
    assert cause.kind == "log-of-zero"
    assert cause.help.startswith("use tf.reduce_logsumexp(x, axis=0) for tf.math.log(tf.reduce_sum(tf.exp(x), axis=0))")
    (edit,) = cause.edits
    assert edit.text == "tf.reduce_logsumexp(x, axis=0)"


@pytest.mark.parametrize("exponents", ["[-inf, -inf]", "[0.0, 0.0]"])
def test_other_zeros_keep_their_own_help(exponents, tmp_path):
    program = f"""
    x = tf.Variable({exponents.replace("-inf", "-float('inf')")})
    with tf.GradientTape() as tape:
        loss = 1.0 / tf.reduce_sum(tf.{"exp" if "inf" in exponents else "sinh"}(x))
    tape.gradient(loss, x)
    """
    causes = traced(program, tmp_path)
    assert all("too small" not in cause.help for cause in causes)
