"""What public functions declare for explanations: safe forms, and what to write where values decide a shape."""

import ast

import pytest

import whygrad as tf
from whygrad.ops import advice
from whygrad.ops.recorded import every_primitive

every_primitive()  # loads all families


@pytest.mark.parametrize("name", sorted(advice.safe_forms))
def test_a_safe_form_is_an_expression(name):
    form = advice.safe_forms[name]
    if form.write is None:
        assert form.argument[0] in form.parameters
        return
    call = advice.WrittenCall({form.parameters[0]: "x", "axis": "-1"}, "x, axis=-1", "tf.math")
    written = form.write(call)
    assert ast.unparse(ast.parse(written, mode="eval")) == written
    assert advice.SMALL in written
    assert "axis=-1" in written


def test_a_safe_norm_is_finite_at_zero():
    x = tf.Variable([0.0, 0.0])
    for order in ("", ", 3"):
        given = {"tensor": "x"} | ({"ord": "3"} if order else {})
        with tf.GradientTape() as tape:
            y = eval(advice.safe_forms["norm"].write(advice.WrittenCall(given, "", "tf")), {"tf": tf, "x": x})
        assert tape.gradient(y, x).numpy().tolist() == [0.0, 0.0]


@pytest.mark.parametrize("code", list(advice.shapes_by_values), ids=lambda code: code.co_qualname)
def test_advice_takes_the_names_of_operands(code):
    said = advice.shapes_by_values[code]
    for text in (said.instead, said.for_mask, said.for_loop):
        assert "{" not in text.format("mask", "x")
