"""A None through a compiled call is explained by what happens inside of it."""

import pytest

from tests.support.programs import facts_of, warned


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("return tf.cast(tf.cast(x, tf.int32), tf.float32)", "integer-dtype", "tf.cast(x, tf.int32)"),
        ("return tf.stop_gradient(x) * 2.0", "stop-gradient-misplaced", "tf.stop_gradient(x)"),
        ("return tf.cast(tf.argmax(x), tf.float32)", "non-differentiable-op", "tf.argmax(x)"),
        (
            "return tf.while_loop(lambda a: a[0] < 9.0, lambda a: (a * 2.0,), (x,))[0]",
            "non-differentiable-op",
            "tf.while_loop(lambda a: a[0] < 9.0, lambda a: (a * 2.0,), (x,))",
        ),
    ],
)
def test_a_none_through_a_compiled_call_is_explained_inside(body, kind, text, tmp_path):
    program = f"""
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
    @tf.function
    def f(x):
        {body}
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(f(v * 2.0) + w)
    tape.gradient(y, [w, v])
    """
    (cause,) = warned(program, tmp_path)
    assert facts_of(cause) == (
        kind,
        [(5, text, "cut here"), (8, "tape.gradient(y, [w, v])", "asked here")],
        {"v": "float32 (2,)"},
    )
    assert cause.sentence.startswith("the gradient of `y` with respect to `v` is None: ")


def test_an_argument_that_a_result_of_a_compiled_call_does_not_depend_on(tmp_path):
    program = """
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
    @tf.function
    def f(x, z):
        return x * 2.0
    with tf.GradientTape() as tape:
        y = f(v * 1.0, w * 1.0)
    tape.gradient(y, w)
    """
    (cause,) = warned(program, tmp_path)
    assert facts_of(cause) == (
        "source-unused",
        [(7, "f(v * 1.0, w * 1.0)", "called here"), (8, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    )
