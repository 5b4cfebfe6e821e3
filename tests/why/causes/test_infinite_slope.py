"""The explanation of `infinite-slope`."""

import pytest

from tests.support.explanations import NotFinite, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "a distance of 0 along an axis": NotFinite(
        """
        points = tf.Variable([[0.0, 0.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.norm(points, axis=-1, keepdims=True)) + tf.reduce_sum(tf.norm(points + 1.0, 2, 0))
        tape.gradient(y, points)
        """,
        "infinite-slope",
        [
            (4, "tf.norm(points, axis=-1, keepdims=True)", "born here"),
            (5, "tape.gradient(y, points)", "asked here"),
        ],
        {"points": "float32 (2, 2)"},
        ["tf.sqrt(tf.reduce_sum(tf.square(points), axis=-1, keepdims=True) + 1e-12)"],
    ),
    "a root at 0": NotFinite(
        """
        x = tf.Variable([0.0, 4.0, 0.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        tape.gradient(y, x)
        """,
        "infinite-slope",
        [(4, "tf.sqrt(x)", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (3,)"},
        ["tf.sqrt is evaluated at exactly 0, at 2 of 3 elements", "tf.sqrt(x + 1e-6)"],
    ),
    "a root at 0, beside another source with a nan of its own": NotFinite(
        """
        a, b = tf.Variable([0.0, 1.0]), tf.Variable([0.0, 0.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(a)) + tf.norm(b)
        tape.gradient(y, [a, b])
        """,
        "infinite-slope",
        [(4, "tf.sqrt(a)", "born here"), (5, "tape.gradient(y, [a, b])", "asked here")],
        {"a": "float32 (2,)"},
        ["with respect to `a` is not finite: tf.sqrt is evaluated at exactly 0", "tf.sqrt(a + 1e-6)"],
    ),
    "a power at 0": NotFinite(
        """
        x = tf.Variable([0.0, 4.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x ** 0.5)
        tape.gradient(y, x)
        """,
        "infinite-slope",
        [(4, "x ** 0.5", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (2,)", "0.5": "float32 ()"},
        ["`x ** 0.5` is evaluated at exactly 0, at 1 of 2 elements", "(x + 1e-6) ** 0.5"],
    ),
    "an arc cosine at 1": NotFinite(
        """
        c = tf.Variable([1.0, 0.5])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.acos(c))
        tape.gradient(y, c)
        """,
        "infinite-slope",
        [(4, "tf.acos(c)", "born here"), (5, "tape.gradient(y, c)", "asked here")],
        {"c": "float32 (2,)"},
        ["tf.acos is evaluated at 1, where its slope is infinite", "tf.acos(c * (1 - 1e-6))"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize("call", ["tf.norm(*given)", "tf.math.rsqrt(*given)", "wnp.cbrt(*given)", "tf.sqrt(**named)"])
def test_arguments_that_are_not_written_one_by_one(call, tmp_path):
    program = f"""
    import whygrad.numpy as wnp
    x = tf.Variable([0.0])
    given, named = [x], dict(x=x)
    with tf.GradientTape() as tape:
        y = {call}
    tape.gradient(y, x)
    """
    (cause,) = traced(program, tmp_path)
    assert cause.kind == ("division-by-zero" if "rsqrt" in call else "infinite-slope")
    assert cause.site.text == call
    assert "given" not in cause.help
    assert cause.edits == ()
