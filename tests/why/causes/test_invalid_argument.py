"""The explanation of `invalid-argument`."""

import pytest

from tests.support.explanations import Refused, checks
from tests.support.programs import facts_of, raised

# Line 1 of each program is empty.
CASES = {
    "integers where floats belong": Refused(
        """
        x = tf.constant([1, 4])
        y = tf.sqrt(x)
        """,
        "invalid-argument",
        (3, "tf.sqrt(x)"),
        {"x": "int32 (2,)"},
        "`x` is int32, which tf.sqrt does not take",
        "tf.cast(x, tf.float32)",
    ),
    "a padding in small letters": Refused(
        """
        img, kernel = tf.ones([2, 8, 8, 1]), tf.ones([3, 3, 1, 4])
        y = tf.nn.conv2d(img, kernel, 1, "same")
        """,
        "invalid-argument",
        (3, 'tf.nn.conv2d(img, kernel, 1, "same")'),
        {"img": "float32 (2, 8, 8, 1)", "kernel": "float32 (3, 3, 1, 4)"},
        "Value for attr 'padding'",
        'write it "SAME"',
    ),
    "a word where an axis belongs": Refused(
        """
        x = tf.ones([2])
        y = tf.reduce_sum(x, axis="rows")
        """,
        "invalid-argument",
        (3, 'tf.reduce_sum(x, axis="rows")'),
        {"x": "float32 (2,)"},
        "`'rows'` is string, which tf.reduce_sum does not take",
        "give an integer",
    ),
    "a string where numbers belong": Refused(
        """
        written = tf.constant(["4.0"])
        y = tf.sqrt(written)
        """,
        "invalid-argument",
        (3, "tf.sqrt(written)"),
        {"written": "string (1,)"},
        "`written` is string, which tf.sqrt does not take",
        "tf.strings.to_number(written, tf.float32) reads it",
    ),
    "a None": Refused(
        """
        def loss():
            tf.ones(2)
        y = tf.reduce_sum(loss())
        """,
        "invalid-argument",
        (4, "tf.reduce_sum(loss())"),
        {},
        "`loss()` is None, not a tensor",
        "let the function return it",
    ),
    "a truth value": Refused(
        """
        x = tf.ones([2])
        if x > 0.5:
            y = 1
        """,
        "invalid-argument",
        (3, "x > 0.5"),
        {"x > 0.5": "bool (2,)"},
        "`x > 0.5` has shape (2,)",
        "tf.reduce_all(x > 0.5)",
    ),
    "a statement's truth value": Refused(
        """
        x = tf.ones([2])
        while x:
            y = 1
        """,
        "invalid-argument",
        (3, "x"),
        {"x": "float32 (2,)"},
        "`x` has shape (2,)",
        "tf.reduce_any(x)",
    ),
    "a number": Refused(
        """
        x = tf.ones([2])
        y = float(x)
        """,
        "invalid-argument",
        (3, "float(x)"),
        {"x": "float32 (2,)"},
        "`x` has shape (2,): it is not a single number",
        "tf.reduce_mean(x)",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize(
    ("program", "help"),
    [
        ("x[0] = 3.0", "x = tf.concat([[3.0], x[1:]], axis=0)"),
        ("x[-1] = 3.0", "x = tf.concat([x[:-1], [3.0]], axis=0)"),
        ("x[1:-1] = x[2:] - x[:2]", "x = tf.concat([x[:1], x[2:] - x[:2], x[-1:]], axis=0)"),
        ("x[x > 1.0] = 3.0", "x = tf.where(x > 1.0, 3.0, x)"),
        ("x[1:-1] = 3.0", "tf.tensor_scatter_nd_update(x, indices, updates)"),
        ("k = 2; x[k] = 3.0", "tf.tensor_scatter_nd_update(x, indices, updates)"),
        ("for k in range(4): x[k] = 3.0", "collect the values in a list in place of `x`, and join them with tf.stack"),
    ],
)
def test_assigning_to_elements_of_a_tensor(program, help, tmp_path):
    (cause,) = raised(f"x = tf.constant([0.0, 1.0, 2.0, 3.0])\n{program}\n", tmp_path)
    assert (cause.kind, cause.site.line, cause.site.role) == ("invalid-argument", 2, "assigned to here")
    assert help in cause.help


def test_assigning_to_an_element_of_a_variable(tmp_path):
    (cause,) = raised("x = tf.Variable([1.0])\nx[0] = 3.0\n", tmp_path)
    assert facts_of(cause) == ("invalid-argument", [(2, "x[0]", "assigned to here")], {})
    assert "x[0].assign(...)" in cause.help


@pytest.mark.parametrize(
    ("result", "sentence", "help"),
    [
        ("x * a", "reads the variable `a`", "or pass `a` to `f` as an argument"),
        ("x * a + b", "reads the variables `a` and `b`", "or pass `a` and `b` to `f` as arguments"),
    ],
)
def test_a_gradient_function_without_a_parameter_for_variables(result, sentence, help, tmp_path):
    program = f"""
    a, b = tf.Variable(2.0, name="a"), tf.Variable(1.0, name="b")
    @tf.custom_gradient
    def f(x):
        return {result}, lambda g: g * a
    f(tf.constant(3.0))
    """
    (cause,) = raised(program, tmp_path)
    assert (cause.kind, cause.site.line) == ("invalid-argument", 6)
    assert f"`f` {sentence}, and its gradient function has no parameter `variables`" in cause.sentence
    assert "let it take (g, variables=None), and return a pair: the gradient of its argument" in cause.help
    assert cause.help.endswith(help)


@pytest.mark.parametrize("value", ["[1.0]", "x * 2.0"])
def test_a_function_that_makes_a_variable_at_each_call(value, tmp_path):
    program = f"""
    @tf.function
    def f(x):
        v = tf.Variable({value})
        return x + v
    f(tf.constant([2.0]))
    f(tf.constant([2.0]))
    """
    (cause,) = raised(program, tmp_path)
    assert (cause.kind, cause.site.line, cause.site.role) == ("invalid-argument", 4, "made here")
    assert cause.help.startswith("make the variable once, before the function")
