"""The explanation of `python-branch-on-symbolic`."""

import pytest

from tests.support.programs import facts_of, refused_by_the_compiler


@pytest.mark.parametrize(
    ("body", "line", "text", "asked", "help"),
    [
        (
            "if x[0] > 0:\n    return x\nreturn -x",
            3,
            "x[0] > 0",
            "`if` cannot test it",
            "return tf.cond(x[0] > 0, lambda: x, lambda: -x)",
        ),
        (
            "y = x\nif tf.reduce_sum(x) > 0:\n    y = x * 2\nelse:\n    y = x * 3\nreturn y",
            4,
            "tf.reduce_sum(x) > 0",
            "`if` cannot test it",
            "tf.where(tf.reduce_sum(x) > 0, x * 2, x * 3)",
        ),
        (
            "return x if x[0] > 0 and not x[1] > 5 else -x",
            3,
            "x[0] > 0",
            "`if` cannot test it",
            "tf.cond(tf.logical_and(x[0] > 0, tf.logical_not(x[1] > 5)), lambda: x, lambda: -x)",
        ),
        (
            "n = 0\nwhile tf.reduce_sum(x) < 100:\n    x = x * 2\n    n = n + 1\nreturn x",
            4,
            "tf.reduce_sum(x) < 100",
            "`while` cannot test it",
            "tf.while_loop(lambda x, n: tf.reduce_sum(x) < 100, lambda x, n: (...), (x, n))",
        ),
        (
            "assert 0 < x[0] < 3\nreturn x",
            3,
            "0 < x[0] < 3",
            "`assert` cannot test it",
            "tf.debugging.Assert(tf.logical_and(0 < x[0], x[0] < 3), [...])",
        ),
        (
            "if x[0] > 3:\n    y = 1.0\nelif x[0] > 2:\n    y = 2.0\nelse:\n    y = 3.0\nreturn y",
            3,
            "x[0] > 3",
            "`if` cannot test it",
            "tf.case([(x[0] > 3, lambda: ...), (x[0] > 2, lambda: ...)], default=lambda: ...)",
        ),
        (
            "return tf.cond(x[0] > 0, lambda: x if x[1] > 0 else -x, lambda: x)",
            3,
            "x[1] > 0",
            "`if` cannot test it",
            "tf.cond(x[1] > 0, lambda: x, lambda: -x)",
        ),
        ("return max(x[0], x[1])", 3, "max(x[0], x[1])", "so Python cannot compare it", "write tf.maximum(x[0], x[1])"),
        ("return all(x > 0)", 3, "all(x > 0)", "so Python cannot compare it", "write tf.reduce_all(x > 0)"),
        (
            "z = x[0] > 0 or x[1] > 0\nreturn z",
            3,
            "x[0] > 0 or x[1] > 0",
            "`and` or `or` cannot test it",
            "write tf.logical_or(x[0] > 0, x[1] > 0), which is a tensor itself",
        ),
        (
            "return [y for y in (x, -x) if y[0] > 0]",
            3,
            "y[0] > 0",
            "`if` cannot test it",
            "tf.where(y[0] > 0, x, 0.0)",
        ),
        ("return 1.0 if 2.0 in x else 0.0", 3, "2.0 in x", "`if` cannot test it", "tf.reduce_any(x == 2.0)"),
    ],
)
def test_python_that_branches_on_a_tensor(body, line, text, asked, help, tmp_path):
    cause = refused_by_the_compiler(body, tmp_path)
    assert cause.kind == "python-branch-on-symbolic"
    assert [(site.line, site.text, site.role, site.note) for site in cause.sites] == [
        (line, text, "failed here", "bool ()")
    ]
    assert asked in cause.sentence
    assert "while `f` is being compiled" in cause.sentence
    assert help in cause.help


def test_a_switch_that_was_given_as_a_tensor(tmp_path):
    body = "if training:\n    x = x * 2.0\nreturn x"
    cause = refused_by_the_compiler(body, tmp_path, "x, training", "tf.ones(2), tf.constant(True)")
    assert facts_of(cause) == ("python-branch-on-symbolic", [(3, "training", "failed here")], {"training": "bool ()"})
    assert cause.help.startswith(
        "pass `training` as Python's True or False, for each of which `f` is compiled once; or "
    )
