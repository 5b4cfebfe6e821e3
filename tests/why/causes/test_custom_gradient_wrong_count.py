"""The explanation of `custom-gradient-wrong-count`."""

import pytest

from tests.support.explanations import NoGradient, Raised, checks
from tests.support.programs import raised

# Line 1 of each program is empty.
CASES = {
    "a custom gradient without return": NoGradient(
        """
        @tf.custom_gradient
        def f(x):
            def grad(upstream):
                upstream * 2.0
            return x * 2.0, grad
        x = tf.Variable(1.5)
        with tf.GradientTape() as tape:
            y = f(x)
        tape.gradient(y, x)
        """,
        "custom-gradient-wrong-count",
        [(5, "upstream * 2.0", "computed, but not returned"), (10, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 ()"},
    ),
    "custom gradient, count": Raised(
        """
        @tf.custom_gradient
        def double(x):
            return x * 2.0, lambda upstream: (upstream, upstream)
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = double(x)
        tape.gradient(y, x)
        """,
        "custom-gradient-wrong-count",
        [(4, "(upstream, upstream)", "returned here"), (8, "tape.gradient(y, x)", "asked here")],
        {"double": "float32 (2,)"},
        message="custom_gradient function expected to return 1 gradients, but returned 2 instead.",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


COUNTS = {
    "lambda upstream: (upstream, upstream)": "returned too many gradients, 2 for 1 argument",
    "lambda upstream: ()": "returned too few gradients, 0 for 1 argument",
}


@pytest.mark.parametrize("gradient", COUNTS)
def test_how_many_gradients_a_custom_gradient_returned(gradient, tmp_path):
    (cause,) = raised(
        CASES["custom gradient, count"].program.replace("lambda upstream: (upstream, upstream)", gradient), tmp_path
    )
    assert cause.kind == "custom-gradient-wrong-count"
    assert COUNTS[gradient] in cause.sentence
