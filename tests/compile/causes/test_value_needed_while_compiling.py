"""The explanation of `value-needed-while-compiling`."""

import sys

import numpy as np
import pytest

import whygrad as tf
from tests.support.programs import facts_of, refused_by_the_compiler, run

FORMATTED = (
    "{y:.2f}" if sys.version_info >= (3, 12) else "f'{y:.2f}'"
)  # since 3.12 Python knows the place inside an f-string


@pytest.mark.parametrize(
    ("body", "text", "shape", "name", "help"),
    [
        ("return x * x.numpy()", "x.numpy()", "(2,)", "x", "leave out .numpy(), as ops take x itself"),
        ("return float(x[0])", "float(x[0])", "()", "x[0]", "leave out float(), as ops take x[0] itself"),
        ("return int(tf.shape(x)[0] * n)", "int(tf.shape(x)[0] * n)", "()", "tf.shape(x)[0] * n", "tf.cast("),
        ("return np.sin(x)", "np.sin(x)", "(2,)", "x", "tf.sin or tf.experimental.numpy.sin"),
        ("return np.mean(x)", "np.mean(x)", "(2,)", "x", "write tf.reduce_mean(x)"),
        ("return np.dot(x, x)", "np.dot(x, x)", "(2,)", "x", "function, tf.experimental.numpy.dot"),
        ("return np.array([x, -x])", "np.array([x, -x])", "(2,)", "[x, -x]", "write tf.stack([x, -x])"),
        ("return np.asarray(x)", "np.asarray(x)", "(2,)", "x", "leave out np.asarray()"),
        ("return round(x[0])", "round(x[0])", "()", "x[0]", "write tf.round(x[0])"),
        ("return sum(i for i in range(n))", "range(n)", "()", "n", "pass `n` as a Python number"),
        ("return [1.0, 2.0][n]", "[1.0, 2.0][n]", "()", "n", "tf.gather([1.0, 2.0], n)"),
        ("y = x[0]\nprint(f'{y:.2f}')\nreturn y", FORMATTED, "()", "y", "tf.print(y)"),
        ("print('x is', x.numpy())\nreturn x", "x.numpy()", "(2,)", "x", "tf.print(x) prints the value each time"),
    ],
)
def test_python_that_needs_a_value(body, text, shape, name, help, tmp_path):
    cause = refused_by_the_compiler(body, tmp_path, "x, n", "tf.constant([1.0, 2.0]), tf.constant(3)")
    assert cause.kind == "value-needed-while-compiling"
    (place,) = cause.sites
    assert (place.line, place.text, place.role) == (4 if "\nprint" in body else 3, text, "failed here")
    assert place.note.endswith(shape)
    assert cause.sentence.startswith(f"`{name}` has no value while `f` is being compiled")
    assert help in cause.help


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("x.numpy()", AttributeError),
        ("float(x[0])", TypeError),
        ("int(x[0])", TypeError),
        ("complex(x[0])", TypeError),
        ("range(x[0])", TypeError),
        ("round(x[0])", TypeError),
        ("f'{x[0]:.1f}'", TypeError),
        ("np.sin(x)", NotImplementedError),
        ("bool(x[0])", tf.errors.OperatorNotAllowedInGraphError),
        ("not x[0]", tf.errors.OperatorNotAllowedInGraphError),
    ],
)
def test_exceptions_have_tensorflows_classes(expression, error, tmp_path):
    with pytest.raises(error, match="it has no value yet"):
        run(f"tf.function(lambda x: {expression}, autograph=False)(tf.ones(2))", tmp_path / "program.py", np=np)


def test_a_tensor_without_a_value_can_be_shown():
    shown = []
    tf.function(lambda x: shown.append(f"{x} {x!r}") or x)(tf.ones(2))
    assert shown == ['Tensor("x:0", shape=(2,), dtype=float32) <tf.Tensor: shape=(2,), dtype=float32, symbolic>']


def test_a_variable_without_a_value_can_be_shown():
    shown = []
    v = tf.Variable(tf.ones(2))
    with tf.GradientTape():
        tf.function(lambda v: shown.append(repr(v)) or v * 2.0)(v)
    assert shown[-1] == "<tf.Variable 'Variable:0' shape=(2,) dtype=float32>"


def test_an_axis_that_is_a_tensor(tmp_path):
    cause = refused_by_the_compiler("return tf.concat([x, x], axis=n)", tmp_path, "x, n", "tf.ones(2), tf.constant(0)")
    assert (cause.kind, cause.site.line) == ("value-needed-while-compiling", 3)
    assert cause.sentence.startswith("`n` says which axis")


def test_an_argument_that_is_neither_size_nor_axis(tmp_path):
    cause = refused_by_the_compiler(
        "return tf.linalg.band_part(x, n, 0)", tmp_path, "x, n", "tf.ones([2, 2]), tf.constant(0)"
    )
    assert facts_of(cause) == (
        "value-needed-while-compiling",
        [(3, "tf.linalg.band_part(x, n, 0)", "failed here")],
        {"x": "float32 (2, 2)", "n": "int32 ()"},
    )
    assert cause.help == "pass `n` as a Python number, for each of which `f` is compiled once"
