"""The explanation of `discrete-sampling`."""

import numpy as np
import pytest

from tests.support.explanations import NoGradient, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "a discrete sample": NoGradient(
        """
        logits = tf.Variable([[0.1, 0.2]])
        with tf.GradientTape() as tape:
            picks = tf.random.categorical(logits, 4)
            y = tf.reduce_mean(tf.gather(tf.constant([1.0, 2.0]), picks[0]))
        tape.gradient(y, logits)
        """,
        "discrete-sampling",
        [(4, "tf.random.categorical(logits, 4)", "cut here"), (6, "tape.gradient(y, logits)", "asked here")],
        {"logits": "float32 (1, 2)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_elements_that_numpy_draws_are_taken_by_position(tmp_path):
    program = """
        rng = np.random.default_rng(0)

        def resampled(x):
            return np.mean(rng.choice(x, size=20) * 1.0)

        tf.grad(resampled)(np.array([1.0, 2.0, 3.0]))
        """
    (cause,) = traced(program, tmp_path, np=np)
    assert cause.kind == "numpy-conversion"
    assert "x[rng.choice(len(x), ...)]" in cause.help


def test_a_choice_by_probabilities_that_are_differentiated(tmp_path):
    program = """
        rng = np.random.default_rng(0)

        def reward(p):
            return np.mean(np.arange(3.0)[rng.choice(3, p=p / np.sum(p), size=4)])

        tf.grad(reward)(np.array([0.2, 0.3, 0.5]))
        """
    (cause,) = traced(program, tmp_path, np=np)
    assert (cause.kind, cause.site.line) == ("discrete-sampling", 5)
