"""The explanation of `degenerate-eigenvectors`."""

import pytest

from tests.why.cases import WrongValue

# Line 1 of each program is empty.
CASES = {
    "repeated eigenvalues": WrongValue(
        """
        a = tf.Variable([[2.0, 0.0], [0.0, 2.0]])
        with tf.GradientTape() as tape:
            e, v = tf.linalg.eigh(a)
            y = tf.reduce_sum(v * [[1.0, 2.0], [3.0, 4.0]])
        tape.gradient(y, a)
        """,
        "degenerate-eigenvectors",
        [(4, "tf.linalg.eigh(a)", "decomposed here"), (6, "tape.gradient(y, a)", "asked here")],
        {"a": "float32 (2, 2)"},
        ["`a` has repeated eigenvalues"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_explanation(name, tmp_path):
    CASES[name].check(tmp_path)
