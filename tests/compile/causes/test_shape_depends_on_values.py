"""The explanation of `shape-depends-on-values`."""

import pytest

from tests.support.programs import facts_of, refused_by_the_compiler


@pytest.mark.parametrize(
    ("body", "text", "shapes", "decided", "help"),
    [
        (
            "return tf.boolean_mask(x, x > 1)",
            "tf.boolean_mask(x, x > 1)",
            {"x": "float32 (2,)", "x > 1": "bool (2,)"},
            "`x > 1`",
            "tf.where(x > 1, x, 0.0)",
        ),
        (
            "return x[x > 1]",
            "x[x > 1]",
            {"x": "float32 (2,)", "x > 1": "bool (2,)"},
            "`x > 1`",
            "tf.where(x > 1, x, 0.0)",
        ),
        ("return tf.where(x > 1)", "tf.where(x > 1)", {"x > 1": "bool (2,)"}, "`x > 1`", "tf.where(x > 1, a, b)"),
        ("return tf.unique(x)[0]", "tf.unique(x)", {"x": "float32 (2,)"}, "`x`", "find them outside of the function"),
        ("return tf.zeros([n, 2])", "tf.zeros([n, 2])", {"n": "int32 ()"}, "`n`", "pass `n` as a Python number"),
        (
            "return tf.reshape(x, [n, -1])",
            "tf.reshape(x, [n, -1])",
            {"x": "float32 (2,)", "n": "int32 ()"},
            "`n`",
            "pass `n` as a Python number",
        ),
        ("return tf.fill([n], 1.0)", "tf.fill([n], 1.0)", {"n": "int32 ()"}, "`n`", "pass `n` as a Python number"),
    ],
)
def test_a_shape_that_depends_on_values(body, text, shapes, decided, help, tmp_path):
    cause = refused_by_the_compiler(body, tmp_path, "x, n", "tf.constant([1.0, 2.0]), tf.constant(3)")
    assert facts_of(cause) == ("shape-depends-on-values", [(3, text, "failed here")], shapes)
    assert f"the values of {decided} decide " in cause.sentence
    assert help in cause.help


def test_a_range_to_a_tensor(tmp_path):
    cause = refused_by_the_compiler("return tf.range(n)", tmp_path, "n", "tf.constant(3)")
    assert cause.kind == "shape-depends-on-values"
    assert (cause.site.line, cause.site.text) == (3, "tf.range(n)")
    assert cause.help == (
        "pass `n` as a Python number, for each of which `f` is compiled once; or take a number that is known, and a mask: "
        "tf.range(most) < n"
    )


@pytest.mark.parametrize(
    ("call", "help"),
    [
        ("tf.math.bincount(x)", "give `minlength` and `maxlength`, both the number of bins"),
        ("tf.math.segment_sum(x, x)", "use an op such as tf.math.unsorted_segment_sum, which takes num_segments"),
    ],
)
def test_the_help_is_the_advice_of_the_op(call, help, tmp_path):
    cause = refused_by_the_compiler(f"return {call}", tmp_path, "x", "tf.constant([0, 1])")
    assert facts_of(cause)[:2] == ("shape-depends-on-values", [(3, call, "failed here")])
    assert cause.help == help
