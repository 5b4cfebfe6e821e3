"""Expressions that a function computes without overflow."""

import ast

import pytest

from whygrad.why.source import syntax
from whygrad.why.source.stable_forms import stable_form


@pytest.mark.parametrize(
    ("written", "stable"),
    [
        ("tf.math.log(1.0 + tf.exp(z))", "tf.nn.softplus(z)"),
        ("tf.math.log(tf.exp(-z) + 1)", "tf.nn.softplus(-z)"),
        ("tf.math.log1p(tf.exp(z))", "tf.nn.softplus(z)"),
        ("tf.math.log(tf.cosh(a - b))", "(a - b) + tf.nn.softplus(-2.0 * (a - b)) - tf.math.log(2.0)"),
        ("1 / (1 + tf.exp(-z))", "tf.sigmoid(z)"),
        ("1.0 / (1.0 + tf.exp(-k * (x - m)))", "tf.sigmoid(k * (x - m))"),
        ("1.0 / (1.0 + tf.exp(a - b))", "tf.sigmoid(-(a - b))"),
        ("tf.exp(z) / (1.0 + tf.exp(z))", "tf.sigmoid(z)"),
        (
            "tf.math.log(tf.reduce_sum(tf.exp(z), axis=1, keepdims=True))",
            "tf.reduce_logsumexp(z, axis=1, keepdims=True)",
        ),
    ],
)
def test_the_whole_expression_has_a_stable_form(written, stable):
    assert _forms(written) == [(written, stable)]


@pytest.mark.parametrize(
    "written",
    ["tf.cosh(z)", "tf.exp(z)", "2.0 + tf.exp(z)", "tf.exp(w) / (1.0 + tf.exp(z))", "tf.reduce_sum(tf.exp(z))"],
)
def test_other_expressions_have_none(written):
    assert _forms(written) == []


def _forms(written):
    """The stable forms around the exponentials of an expression, each with what it takes the place of."""
    tree = ast.parse(written)
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            child.parent = node
    found = [
        stable_form(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and syntax.called_name(node) in ("cosh", "exp")
    ]
    return [(ast.unparse(whole), text) for whole, text in filter(None, found)]
