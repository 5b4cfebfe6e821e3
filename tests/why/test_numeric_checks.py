"""`enable_check_numerics`: the first op or rule that makes inf or nan raises, with its line."""

import numpy as np
import pytest

import whygrad as tf
from tests.support.programs import facts_of, raised


@pytest.mark.usefixtures("check_numerics")
def test_an_op_that_makes_inf_raises_with_its_line(tmp_path):
    (cause,) = raised(
        """
        x = tf.constant([1.0, 0.0])
        y = tf.math.log(x)
        """,
        tmp_path,
    )
    assert facts_of(cause) == ("log-of-zero", [(3, "tf.math.log(x)", "born here")], {"x": "float32 (2,)"})
    assert cause.symptom == "exception"


@pytest.mark.usefixtures("check_numerics")
def test_the_error_has_tensorflows_sentence():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.math.log([1.0, 0.0, -1.0])
    message = str(caught.value)
    assert '!!! Detected Infinity or NaN in output 0 of eagerly-executing op "Log" (# of outputs: 1) !!!' in message
    assert "# of -Inf elements: 1" in message
    assert "# of +NaN elements: 1" in message
    assert "Tensor had -Inf and NaN values" in message


@pytest.mark.usefixtures("check_numerics")
def test_a_rule_that_makes_inf_raises_with_the_line_of_its_op(tmp_path):
    (cause,) = raised(
        """
        x = tf.Variable([0.0, 1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.line, cause.site.text) == ("infinite-slope", 4, "tf.sqrt(x)")


@pytest.mark.usefixtures("check_numerics")
def test_finite_values_and_moved_nans_pass():
    tf.debugging.enable_check_numerics()  # twice is once
    nan = tf.constant([1.0, float("nan")])
    assert tf.reshape(nan, (2, 1)).shape == (2, 1)
    x = tf.Variable([1.0, 4.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.sqrt(x))
    np.testing.assert_allclose(tape.gradient(y, x), [0.5, 0.25])


def test_nothing_is_checked_after_disabling():
    tf.debugging.enable_check_numerics()
    tf.debugging.disable_check_numerics()
    tf.debugging.disable_check_numerics()
    assert tf.math.log(0.0).numpy() == -np.inf
