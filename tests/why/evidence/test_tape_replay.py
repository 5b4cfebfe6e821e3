"""Replaying a tape: the values that can still be found without a trace."""

import math

import numpy as np
import pytest

from tests.support.programs import warned


@pytest.mark.parametrize(
    "compare",
    ["out - labels", "labels - out", "out + labels", "out - labels[:1]", "out - np.log(2.0)", "labels[0] - out"],
)
def test_an_operand_that_nothing_holds_is_found_from_the_result(compare, tmp_path):
    program = f"""
        labels = np.array([[1.0], [-1.0]], "float32")  # the tensor made of it is gone after the op
        w1, w2 = tf.Variable(tf.zeros((2, 4))), tf.Variable(tf.zeros((4, 1)))
        with tf.GradientTape() as tape:
            out = tf.tanh(tf.constant([[0.5, -1.0], [2.0, 0.1]]) @ w1) @ w2
            loss = tf.reduce_mean(({compare}) ** 2)
        tape.gradient(loss, [w1, w2])
        """
    assert [cause.kind for cause in warned(program, tmp_path, np=np)] == ["stuck-at-zero"]


@pytest.mark.parametrize("constant", ["0.5 * np.log(2 * np.pi)", "-math.sqrt(2.0)", "float('1e-3')"])
def test_a_number_that_the_program_writes_as_an_expression(constant, tmp_path):
    program = f"""
        mean, noise = tf.Variable(0.5), tf.constant([0.3, -1.2, 0.4])
        rewards = np.array([1.0, 2.0, 4.0], "float32")
        with tf.GradientTape() as tape:
            density = -0.5 * (mean + noise - mean) ** 2 - {constant}
            loss = tf.reduce_mean(tf.stop_gradient(rewards * 2.0) * density)
        tape.gradient(loss, mean)
        """
    assert [cause.kind for cause in warned(program, tmp_path, np=np, math=math)] == ["contributions-cancel"]
