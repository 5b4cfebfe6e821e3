"""The explanation of `output-gradients-mismatch`."""

import pytest

import whygrad as tf
from tests.support.explanations import Raised, checks

# Line 1 of each program is empty.
CASES = {
    "upstream shape": Raised(
        """
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = x * 8.0
        tape.gradient(y, x, output_gradients=tf.ones(3))
        """,
        "output-gradients-mismatch",
        [(5, "tf.ones(3)", "upstream gradient"), (4, "x * 8.0", "target")],
        {"y": "float32 (2,)", "output_gradients": "float32 (3,)"},
        message="Input to reshape is a tensor with 3 values, but the requested shape has 2",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_an_upstream_gradient_of_as_many_values_but_another_shape():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = x * 2.0
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tape.gradient(y, x, output_gradients=tf.ones((1, 3)))
    assert str(caught.value) == "output_gradients[0] has shape (1, 3), but its target has shape (3,)"
