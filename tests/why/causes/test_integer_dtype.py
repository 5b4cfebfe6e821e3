"""The explanation of `integer-dtype`."""

import numpy as np
import pytest

from tests.support.explanations import NoGradient, checks
from tests.support.programs import raised, traced, warned

# Line 1 of each program is empty.
CASES = {
    "an integer variable": NoGradient(
        """
        k = tf.Variable([1, 2])
        with tf.GradientTape() as tape:
            y = tf.cast(k, tf.float32) * 2.0
        tape.gradient(y, k)
        """,
        "integer-dtype",
        [
            (2, "tf.Variable([1, 2])", "made here"),
            (4, "tf.cast(k, tf.float32)", "used here"),
            (5, "tape.gradient(y, k)", "asked here"),
        ],
        {"k": "int32 (2,)"},
    ),
    "a cast to int": NoGradient(
        """
        bias = tf.Variable([1.5, 2.5])
        with tf.GradientTape() as tape:
            codes = tf.cast(bias, tf.int32)
            y = tf.reduce_sum(tf.cast(codes, tf.float32))
        tape.gradient(y, bias)
        """,
        "integer-dtype",
        [(4, "tf.cast(bias, tf.int32)", "cut here"), (6, "tape.gradient(y, bias)", "asked here")],
        {"bias": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize("found_in", [traced, warned])
@pytest.mark.parametrize("taken", ["table[index]", "np.take(table, index)"])
def test_an_index_that_a_method_made_for_numpy(found_in, taken, tmp_path):
    program = f"""
        table = np.sin(np.linspace(0.0, 3.0, 11))

        def height(p):
            index = (p * 10.0).astype(int)
            return np.sum({taken})

        tf.grad(height)(np.array([0.12, 0.57]))
        """
    (cause,) = found_in(program, tmp_path, np=np)
    assert (cause.kind, cause.site.text) == ("integer-dtype", "(p * 10.0).astype(int)")
    assert "makes an index of it" in cause.sentence
    assert "np.interp" in cause.help


def test_a_cast_by_a_method_names_what_it_casts(tmp_path):
    program = """
        def steps(p):
            return np.sum((p * 10.0).astype(int)) * 0.5

        tf.grad(steps)(np.array([0.12, 0.57]))
        """
    (cause,) = warned(program, tmp_path, np=np)
    assert cause.help == "keep `p * 10.0` in float64"


def test_an_argument_of_integers_is_called_by_its_name(tmp_path):
    program = """
        def cost(p):
            return np.sum(p**2)

        start = np.array([1, 2])
        tf.grad(cost)(start)
        """
    (cause,) = raised(program, tmp_path, np=np)
    assert [(site.line, site.role) for site in cause.sites] == [(5, "made here"), (6, "asked here")]
    assert "start.astype(float)" in cause.help
