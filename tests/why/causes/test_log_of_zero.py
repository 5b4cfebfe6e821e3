"""The explanation of `log-of-zero`."""

import pytest

import whygrad as tf
from tests.support.explanations import NotFinite, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "log of 0": NotFinite(
        """
        p = tf.Variable([0.5, 0.0, 0.5])
        with tf.GradientTape() as tape:
            entropy = -tf.reduce_sum(p * tf.math.log(p))
        tape.gradient(entropy, p)
        """,
        "log-of-zero",
        [(4, "tf.math.log(p)", "born here"), (5, "tape.gradient(entropy, p)", "asked here")],
        {"p": "float32 (3,)"},
        [
            "the gradient of `entropy` with respect to `p` is not finite",
            "of `p`, which is exactly 0 at 1 of 3 elements",
            "tf.math.log(p + 1e-7)",
        ],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_only_the_first_nan_of_a_program_is_explained(tmp_path):
    found = traced(
        """
        w = tf.Variable([0.0, 1.0])
        for step in range(3):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.math.log(w))
            w.assign_sub(tape.gradient(y, w))
        with tf.GradientTape() as tape:
            z = tf.reduce_sum(tf.exp(w))
        tape.gradient(z, w)
        """,
        tmp_path,
    )
    assert [(cause.kind, cause.site.line) for cause in found] == [("log-of-zero", 5)]


def test_a_program_without_source_is_explained_too():
    with tf.tracing() as trace:
        exec(
            compile(
                "x = tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n    y = tf.math.log(x)\ntape.gradient(y, x)\n",
                "<nowhere>",
                "exec",
            ),
            {"tf": tf},
        )
    (cause,) = trace.findings
    assert (cause.kind, cause.site.line, cause.site.text) == ("log-of-zero", 3, "")
