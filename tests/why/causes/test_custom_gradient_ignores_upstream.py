"""The explanation of `custom-gradient-ignores-upstream`."""

import pytest

from tests.support.explanations import WrongValue, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "a gradient function that ignores what arrives": WrongValue(
        """
        @tf.custom_gradient
        def double(x):
            def grad(upstream):
                return 2.0 * tf.ones_like(x)
            return 2.0 * x, grad
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(double(x) ** 2)
        tape.gradient(loss, x)
        """,
        "custom-gradient-ignores-upstream",
        [
            (5, "2.0 * tf.ones_like(x)", "returned here"),
            (9, "double(x)", "called here"),
            (10, "tape.gradient(loss, x)", "asked here"),
        ],
        {"double": "float32 (2,)"},
        ["the gradient function of `double` does not use the upstream gradient"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize(
    ("returned", "instead"),
    [
        ("2.0 * x", "upstream * (2.0 * x)"),
        ("tf.where(x > 0.0, 1.0, 0.1)", "upstream * tf.where(x > 0.0, 1.0, 0.1)"),
        ("x - 1.0", "upstream * (x - 1.0)"),
    ],
)
def test_what_the_gradient_function_should_return(returned, instead, tmp_path):
    program = """
    @tf.custom_gradient
    def shaped(x):
        def grad(upstream):
            return {}
        return x * x, grad
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(shaped(x) ** 2)
    tape.gradient(loss, x)
    """
    (cause,) = traced(program.format(returned), tmp_path)
    assert cause.help.endswith(f"return {instead}")
    assert [edit.text for edit in cause.edits] == [instead]
    assert traced(program.format(instead), tmp_path) == []
