"""Which argument of a call an op inside of it computes with."""

import pytest

import whygrad as tf
from whygrad.scipy.stats import expon, norm

x, mean = tf.constant([[1.0, 2.0]]), tf.constant([2.0, 3.0])


def normalized(a, b, c):
    return tf.nn.batch_normalization(a, b, c, None, None, 0.0)


def by_keyword(variance):
    return tf.nn.batch_normalization(
        x, mean=mean, variance=variance * 2.0, offset=None, scale=None, variance_epsilon=0.0
    )


def by_local_name(variance):
    wrong = variance * 2.0
    return tf.nn.batch_normalization(x, mean, wrong, None, None, 0.0)


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (by_keyword, "negative values of `variance * 2.0`: -2"),
        (by_local_name, "negative values of `wrong`: -2"),
        # The function has ended, so that its parameters have no values any more.
        (lambda v: normalized(x, mean, v), "negative values of the operand inside of tf.nn.batch_normalization: -1"),
    ],
)
def test_the_argument_is_named(function, named):
    variance = tf.Variable([-1.0, 1.0])
    with tf.tracing() as trace:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(function(variance))
        tape.gradient(y, variance)
    assert named in trace.findings[0].sentence


def test_the_argument_is_edited():
    scale = tf.Variable(0.0)
    with tf.tracing() as trace:
        with tf.GradientTape() as tape:
            y = norm.logpdf(0.5, 0.0, scale)
        tape.gradient(y, scale)
    cause = trace.findings[0]
    assert (cause.kind, cause.shapes) == ("log-of-zero", {"scale": "float32 ()"})
    assert "norm.logpdf(0.5, 0.0, scale + 1e-7)" in cause.help


def test_written_numbers_are_not_operands_of_ops_inside():
    """`expon.logpdf` chooses -inf with an op of three operands, which are not the three arguments."""
    x = tf.Variable(-0.5)
    with tf.GradientTape() as tape:
        y = expon.logpdf(x, 0.0, 1.0)
    with pytest.warns(tf.GradientWarning, match="`y` is not finite") as caught:
        gradient = tape.gradient(y, x)  # not inside of an `assert`, whose places pytest may change
    assert gradient.numpy() == 0.0
    assert "overflow" not in [cause.kind for each in caught for cause in each.message.causes]
