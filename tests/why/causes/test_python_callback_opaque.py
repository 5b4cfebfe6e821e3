"""The explanation of `python-callback-opaque`."""

import pytest

from tests.support.explanations import NoGradient, checks

# Line 1 of each program is empty.
CASES = {
    "numpy_function": NoGradient(
        """
        x = tf.Variable([1.5])
        with tf.GradientTape() as tape:
            y = tf.numpy_function(np.cbrt, [x], tf.float32)
        tape.gradient(y, x)
        """,
        "python-callback-opaque",
        [(4, "tf.numpy_function(np.cbrt, [x], tf.float32)", "cut here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (1,)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
