"""The explanation of `numpy-conversion`."""

import math

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp
from tests.support.explanations import NoGradient, checks
from tests.support.programs import traced, warned

# Line 1 of each program is empty.
CASES = {
    ".numpy()": NoGradient(
        """
        w = tf.Variable([0.2, 0.4])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(np.clip((w * 2.0).numpy(), 0.0, 0.5))
        tape.gradient(y, w)
        """,
        "numpy-conversion",
        [(4, "(w * 2.0).numpy()", "left here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
    "a function of NumPy's": NoGradient(
        """
        w = tf.Variable([0.2, 0.4])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(np.mean(w, axis=0) * tf.constant(2.0))
        tape.gradient(y, w)
        """,
        "numpy-conversion",
        [(4, "np.mean(w, axis=0)", "left here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_without_source_the_cause_is_only_likely():
    from tests.support.programs import run
    from whygrad.why.evidence.trace import tracing

    with tracing() as trace:  # without source, that what left is what came back can only be guessed
        run(CASES[".numpy()"].program, np=np)
    assert [(cause.kind, cause.likely, cause.site.line) for cause in trace.findings] == [("numpy-conversion", True, 4)]


def test_a_tensor_stored_in_an_array():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        stored = np.zeros(3, "float32")
        for i in range(3):
            stored[i] = x[i] ** 2
        loss = tf.reduce_sum(stored)
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(loss, x)
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.text) == ("numpy-conversion", "stored[i]")


@pytest.mark.parametrize(
    ("copy", "help"),
    [
        ("np.array(u)", "leave out np.array, and where elements of `wall` are written make a new tensor"),
        ("u.numpy()", "leave out .numpy(), and where elements of `wall` are written make a new tensor"),
    ],
)
def test_an_array_that_is_written_into(copy, help, tmp_path):
    program = f"""
        u = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            wall = {copy}
            wall[0] = 0.0
            loss = tf.reduce_sum(tf.constant(wall) ** 2)
        tape.gradient(loss, u)
        """
    (cause,) = traced(program, tmp_path, np=np)
    assert (cause.kind, cause.site.line) == ("numpy-conversion", 4)
    assert help in cause.help


@pytest.mark.parametrize(
    ("made", "help"),
    [("np.array(u)", "leave out np.array"), ("np.array([u[0], u[1]])", "write tf.stack for np.array")],
)
def test_a_copy_and_a_list_of_elements(made, help, tmp_path):
    program = f"""
        u = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.constant({made}) ** 2)
        tape.gradient(loss, u)
        """
    (cause,) = traced(program, tmp_path, np=np)
    assert help in cause.help


@pytest.mark.parametrize(
    ("made", "help"),
    [
        ("np.vectorize(branch)", "np.vectorize calls the function with one number at a time"),
        ("lambda x: np.array([math.sin(x[0]), x[1]])", "write np.stack for np.array"),
        ("lambda x: math.sin(x[0])", "write np.sin for math.sin"),
    ],
)
def test_part_of_a_function_of_numpys(made, help, tmp_path):
    program = f"""
        def branch(x):
            return x if x > 0.0 else 0.0

        rate = {made}

        def flow(x):
            return np.sum(rate(x) * x)

        tf.grad(flow)(np.array([1.0, 2.0]))
        """
    found = traced(program, tmp_path, np=np, math=math)
    assert any(cause.symptom == "wrong_value" and help in cause.help for cause in found), found


def test_an_integer_takes_nothing_from_a_derivative(tmp_path):
    program = """
        table = np.array([0.0, 1.0, 4.0, 9.0])

        def interpolated(x):
            cell = int(x[0])
            return table[cell] * (1.0 - x[0] + cell) + table[cell + 1] * (x[0] - cell)

        with wnp.enable_dispatch():
            x = tf.Variable([1.5])
            with tf.GradientTape() as tape:
                y = interpolated(x)
            tape.gradient(y, x)
        tf.grad(interpolated)(np.array([1.5]))
        """
    assert traced(program, tmp_path, np=np, wnp=wnp) == warned(program, tmp_path, np=np, wnp=wnp) == []


def test_a_function_of_math_around_a_float(tmp_path):
    program = """
        import math

        def well(x):
            return math.cosh(float(x)) + 0.5 * x**2

        tf.grad(well)(0.5)
        """
    (cause,) = warned(program, tmp_path, np=np)
    assert cause.help.startswith("write np.cosh for math.cosh and leave out float()")


@pytest.mark.parametrize("leaves", ["np.asarray(x)", "np.vectorize(lambda each: each * each)(x)"])
def test_a_variable_leaves_where_numpys_functions_stay_on_the_tape(leaves, tmp_path):
    program = f"""
        x = tf.Variable([0.5, 1.0])
        with wnp.enable_dispatch(), tf.GradientTape() as tape:
            y = np.sum({leaves}) + x[0]
        tape.gradient(y, x)
        """
    (cause,) = warned(program, tmp_path, np=np, wnp=wnp)
    assert (cause.kind, cause.site.text) == ("numpy-conversion", leaves)
