"""The explanation of `output-gradients-mismatch`."""

import pytest

import whygrad as tf
from tests.why.cases import Raised

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


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.message])
def test_message_keeps_tensorflows_sentence(name, tmp_path):
    CASES[name].check_message(tmp_path)


def test_an_upstream_gradient_of_as_many_values_but_another_shape():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = x * 2.0
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tape.gradient(y, x, output_gradients=tf.ones((1, 3)))
    assert str(caught.value) == "output_gradients[0] has shape (1, 3), but its target has shape (3,)"
