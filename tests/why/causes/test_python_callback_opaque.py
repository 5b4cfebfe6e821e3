"""The explanation of `python-callback-opaque`."""

import pytest

from tests.why.cases import NoGradient

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


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.is_warned])
def test_warning_without_a_trace(name, tmp_path):
    CASES[name].check_warning(tmp_path)
