"""The explanation of `derivative-not-recorded`."""

import pytest

import whygrad as tf
from tests.support.explanations import NoGradient, WrongValue, checks
from tests.support.programs import warned

# Line 1 of each program is empty.
CASES = {
    "a derivative outside": NoGradient(
        """
        x = tf.Variable(1.5)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x ** 3
        slope = inner.gradient(y, x)
        outer.gradient(slope, x)
        """,
        "derivative-not-recorded",
        [(6, "inner.gradient(y, x)", "differentiated here"), (7, "outer.gradient(slope, x)", "asked here")],
        {"x": "float32 ()"},
        needs_a_trace=True,
    ),
    "a term that is a derivative taken outside": WrongValue(
        """
        w, x = tf.Variable(2.0), tf.constant(3.0)
        with tf.GradientTape() as inner:
            inner.watch(x)
            f = w * x ** 2
        slope = inner.gradient(f, x)
        with tf.GradientTape() as outer:
            loss = w ** 2 + slope
        outer.gradient(loss, w)
        """,
        "derivative-not-recorded",
        [
            (6, "inner.gradient(f, x)", "differentiated here"),
            (6, "inner.gradient(f, x)", "computed outside"),
            (9, "outer.gradient(loss, w)", "asked here"),
        ],
        {"loss": "float32 ()"},
        ["it contains a gradient that was taken outside this tape"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_a_gradient_taken_outside_the_outer_tape():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        y = x**3
    slope = inner.gradient(y, x)
    with pytest.warns(tf.NoGradientWarning) as caught:
        outer.gradient(slope, x)
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.text) == ("derivative-not-recorded", "inner.gradient(y, x)")


def test_without_a_trace_the_text_shows_a_gradient_that_an_op_takes(tmp_path):
    program = """
        x, y = tf.Variable(2.0), tf.Variable(0.5)
        with tf.GradientTape() as first:
            energy = x**3 * y
        force = first.gradient(energy, x)
        with tf.GradientTape() as second:
            work = force * 2.0
        second.gradient(work, y)
        """
    (cause,) = warned(program, tmp_path)
    assert (cause.kind, cause.likely) == ("derivative-not-recorded", True)
    assert [(each.text, each.role) for each in cause.sites] == [
        ("first.gradient(energy, x)", "differentiated here"),
        ("second.gradient(work, y)", "asked here"),
    ]
    assert "`force` is a gradient that was taken while this tape was not recording" in cause.sentence
