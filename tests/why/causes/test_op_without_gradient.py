"""The explanation of `op-without-gradient`."""

import pytest

import whygrad as tf
from tests.support.explanations import Raised, checks

# Line 1 of each program is empty.
CASES = {
    "no gradient registered": Raised(
        """
        picture = tf.Variable(tf.ones([1, 4, 4, 1]))
        with tf.GradientTape() as tape:
            y = tf.image.resize(picture, [2, 2], method="area")
        tape.gradient(y, picture)
        """,
        "op-without-gradient",
        [
            (4, 'tf.image.resize(picture, [2, 2], method="area")', "called here"),
            (5, "tape.gradient(y, picture)", "asked here"),
        ],
        {},
        message="gradient registry has no entry for: ResizeArea",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize("kind", [KeyError, IndexError])
def test_lookup_errors_of_gradient_functions_are_their_own(kind):
    """A gradient function that fails to look something up has a gradient all the same."""

    @tf.custom_gradient
    def doubled(x):
        def grad(upstream):
            raise kind("scale")

        return 2.0 * x, grad

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = doubled(x)
    with pytest.raises(kind) as raised:
        tape.gradient(y, x)
    assert "op-without-gradient" not in [cause.kind for cause in getattr(raised.value, "causes", [])]
