"""The explanation of `source-not-watched`."""

import pytest

import whygrad as tf
from tests.support.explanations import NoGradient, checks
from tests.support.programs import facts_of, traced, warned

# Line 1 of each program is empty.
CASES = {
    "never watched": NoGradient(
        """
        x = tf.constant([0.5, 1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x ** 3)
        tape.gradient(y, x)
        """,
        "source-not-watched",
        [
            (4, "x ** 3", "used here"),
            (3, "tf.GradientTape()", "tape made here"),
            (5, "tape.gradient(y, x)", "asked here"),
        ],
        {"x": "float32 (2,)"},
    ),
    "watched too late": NoGradient(
        """
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            y = x ** 3
            tape.watch(x)
        tape.gradient(y, x)
        """,
        "source-not-watched",
        [(5, "tape.watch(x)", "watched here"), (4, "x ** 3", "used here"), (6, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 ()"},
    ),
    "a variable's value, used before the tape met the variable": NoGradient(
        """
        v = tf.Variable(2.0)
        t = tf.convert_to_tensor(v)
        with tf.GradientTape() as tape:
            y = t * 3.0
            z = v * 2.0
        tape.gradient(y, t)
        """,
        "source-not-watched",
        [(6, "v * 2.0", "watched here"), (5, "t * 3.0", "used here"), (7, "tape.gradient(y, t)", "asked here")],
        {"t": "float32 ()"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize("found_in", [traced, warned])
def test_a_copy_is_watched(found_in, tmp_path):
    text = """
    x = tf.constant([1.0])
    with tf.GradientTape() as tape:
        tape.watch(tf.identity(x))
        loss = tf.reduce_sum(x ** 2)
    tape.gradient(loss, x)
    """
    (cause,) = found_in(text, tmp_path)
    assert facts_of(cause) == (
        "source-not-watched",
        [(4, "tape.watch(tf.identity(x))", "watched here"), (6, "tape.gradient(loss, x)", "asked here")],
        {"x": "float32 (1,)"},
    )
    assert cause.help == "watch the source tensor itself: tape.watch(x)"


def test_the_help_names_the_users_tape():
    x = tf.constant(1.0)
    with tf.GradientTape() as inner:
        y = x * x
    with pytest.warns(tf.NoGradientWarning, match=r"call inner\.watch\(x\)"):
        inner.gradient(y, x)
