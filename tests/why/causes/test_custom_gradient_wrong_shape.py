"""The explanation of `custom-gradient-wrong-shape`."""

import pytest

from tests.support.explanations import Raised, checks
from tests.support.programs import raised, run
from whygrad.errors import InvalidArgumentError

# Line 1 of each program is empty.
CASES = {
    "custom gradient, shape": Raised(
        """
        @tf.custom_gradient
        def double(x):
            def grad(upstream):
                return tf.reduce_sum(upstream) * 2.0
            return x * 2.0, grad
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = double(x)
        tape.gradient(y, x)
        """,
        "custom-gradient-wrong-shape",
        [(5, "tf.reduce_sum(upstream) * 2.0", "returned here"), (10, "tape.gradient(y, x)", "asked here")],
        {"double": "float32 (2,)"},
        message="Input to reshape is a tensor with 1 values, but the requested shape has 2",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_as_many_elements_in_another_shape(tmp_path):
    text = CASES["custom gradient, shape"].program.replace(
        "tf.reduce_sum(upstream) * 2.0", "tf.reshape(upstream, [2, 1])"
    )
    with pytest.raises(InvalidArgumentError, match=r"^the gradient of double for an input of shape \(2,\)") as caught:
        run(text, tmp_path / "program.py")
    (cause,) = caught.value.causes
    assert (cause.kind, cause.site.line, cause.site.text) == (
        "custom-gradient-wrong-shape",
        5,
        "tf.reshape(upstream, [2, 1])",
    )


def test_the_returned_shape_is_named_beside_the_arguments_shape(tmp_path):
    (cause,) = raised(CASES["custom gradient, shape"].program, tmp_path)
    assert cause.sentence.endswith("returned float32 () for an argument of float32 (2,)")


def test_a_rule_of_an_op_from_outside(tmp_path):
    """The error names the op's call and the two shapes, not a reshape that the program does not contain."""
    program = """
    import whygrad as tf
    from whygrad import extend
    squared = extend.unary("squared_wrongly", lambda xp, x: x * x, vjp=lambda xp, g, x: xp.sum(g * x), doc="x * x.")
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = squared(x)
    tape.gradient(y, x)
    """
    (cause,) = raised(program, tmp_path)
    assert cause.kind == "custom-gradient-wrong-shape"
    assert cause.sentence == (
        "the gradient function of `squared_wrongly` returned float32 () for an argument of float32 (2,)"
    )
    assert [(site.line, site.text, site.role) for site in cause.sites] == [
        (7, "squared(x)", "called here"),
        (8, "tape.gradient(y, x)", "asked here"),
    ]
