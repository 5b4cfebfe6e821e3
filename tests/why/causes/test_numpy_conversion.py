"""The explanation of `numpy-conversion`."""

import numpy as np
import pytest

import whygrad as tf
from tests.support.explanations import NoGradient, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    ".numpy()": NoGradient(
        """
        w = tf.Variable([0.2, 0.4])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(np.clip((w * 2.0).numpy(), 0.0, 0.5))
        tape.gradient(y, w)
        """,
        "numpy-conversion",
        [(4, "(w * 2.0).numpy()", "left here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
    "a function of NumPy's": NoGradient(
        """
        w = tf.Variable([0.2, 0.4])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(np.mean(w, axis=0) * tf.constant(2.0))
        tape.gradient(y, w)
        """,
        "numpy-conversion",
        [(4, "np.mean(w, axis=0)", "left here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_without_source_the_cause_is_only_likely():
    from tests.support.programs import run
    from whygrad.why.evidence.trace import tracing

    with tracing() as trace:  # without source, that what left is what came back can only be guessed
        run(CASES[".numpy()"].program, np=np)
    assert [(cause.kind, cause.likely, cause.site.line) for cause in trace.findings] == [("numpy-conversion", True, 4)]


def test_a_tensor_stored_in_an_array():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        stored = np.zeros(3, "float32")
        for i in range(3):
            stored[i] = x[i] ** 2
        loss = tf.reduce_sum(stored)
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(loss, x)
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.text) == ("numpy-conversion", "stored[i]")


@pytest.mark.parametrize(
    ("copy", "help"),
    [
        ("np.array(u)", "leave out np.array, and where elements of `wall` are written make a new tensor"),
        ("u.numpy()", "leave out .numpy(), and where elements of `wall` are written make a new tensor"),
    ],
)
def test_an_array_that_is_written_into(copy, help, tmp_path):
    program = f"""
        u = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            wall = {copy}
            wall[0] = 0.0
            loss = tf.reduce_sum(tf.constant(wall) ** 2)
        tape.gradient(loss, u)
        """
    (cause,) = traced(program, tmp_path, np=np)
    assert (cause.kind, cause.site.line) == ("numpy-conversion", 4)
    assert help in cause.help


@pytest.mark.parametrize(
    ("made", "help"),
    [("np.array(u)", "leave out np.array"), ("np.array([u[0], u[1]])", "write tf.stack for np.array")],
)
def test_a_copy_and_a_list_of_elements(made, help, tmp_path):
    program = f"""
        u = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.constant({made}) ** 2)
        tape.gradient(loss, u)
        """
    (cause,) = traced(program, tmp_path, np=np)
    assert help in cause.help
