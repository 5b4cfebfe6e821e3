"""The explanation of `function-retraced`."""

import pytest

import whygrad as tf
from tests.support.programs import run, warned


@pytest.mark.parametrize(
    ("setup", "call", "changed", "help"),
    [
        (
            "rate = 0.1",
            "f(x, rate := rate / 2)",
            "because `n` was 0.05, 0.025, 0.0125, 0.00625, ...",
            "pass `n` as a tensor, tf.constant(n)",
        ),
        (
            "",
            "f(tf.ones([i + 1, 2]), 1)",
            "because `x` had shape (1, 2), (2, 2), (3, 2), (4, 2), ...",
            "pad `x` to one shape",
        ),
        ("", "f(x, lambda: i)", "because `n` was a different function each time", "define `n` once"),
        ("", "f(x, object())", "because `n` was a different object each time", "make `n` once"),
        ("", "f(x, {'a': [1.0, i]})", "because `n['a'][1]` was 0, 1, 2, 3, ...", "tf.constant(n['a'][1])"),
        ("", "f(x, [x] * (i + 1))", "because `len(n)` was 1, 2, 3, 4, ...", "pass one tensor instead of `n`"),
        ("", "f(x, str(i))", "because `n` was '0', '1', '2', '3', ...", "few values of `n`"),
    ],
)
def test_the_argument_that_changed_is_named(setup, call, changed, help, tmp_path):
    program = (
        f"x = tf.ones(2)\n{setup}\n@tf.function\ndef f(x, n):\n    return x * 2.0\nfor i in range(12):\n    {call}\n"
    )
    (cause,) = warned(program, tmp_path)
    assert (cause.kind, cause.symptom) == ("function-retraced", "slow")
    assert cause.sentence.startswith("`f` was traced and compiled again in each of 5 calls, ")
    assert cause.sentence.endswith(changed) or changed in cause.sentence
    assert help in cause.help
    assert [(site.line, site.text, site.role) for site in cause.sites] == [
        (7, call, "called here"),
        (4, "def f(x, n):", "defined here"),
    ]


def test_the_warning_has_the_line_of_the_call(tmp_path):
    path = tmp_path / "program.py"
    with pytest.warns(tf.RetracingWarning) as caught:
        run("@tf.function\ndef f(n):\n    return n\nfor i in range(12):\n    f(i)\n", path)
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (str(path), 5)
    assert issubclass(tf.RetracingWarning, tf.FunctionWarning)
    assert not issubclass(tf.RetracingWarning, tf.GradientWarning)


def test_a_function_created_in_a_loop(tmp_path):
    program = """
    for i in range(8):
        @tf.function
        def f(x):
            return x * 2.0
        f(tf.ones(2))
    """
    (cause,) = warned(program, tmp_path)
    assert cause.kind == "function-retraced"
    assert cause.sentence.startswith("tf.function makes a new `f` each time, and each is traced")
    assert [(site.line, site.text) for site in cause.sites] == [(6, "f(tf.ones(2))"), (4, "def f(x):")]


@pytest.mark.parametrize(
    "calls",
    [
        "for i in range(40):\n    f(tf.ones(i // 4 + 1))",  # each shape is used for a while
        "for i in range(40):\n    f(tf.ones(i % 4 + 1))",  # few shapes
        "for epoch in range(9):\n    for size in [8, 8, 8, 8, 8, epoch]:\n        f(tf.ones(size))",
        "for i in range(8):\n    g = tf.function(lambda x: x + 1.0)\n    g(tf.ones(2)), g(tf.ones(2))",
    ],
)
def test_occasional_retracing_is_no_finding(calls, tmp_path):
    assert warned(f"f = tf.function(lambda x: x * 2.0)\n{calls}\n", tmp_path) == []


@pytest.mark.filterwarnings("ignore::whygrad.RetracingWarning")
def test_tensorflows_logger_is_told_twice_of_a_function(caplog):
    f = tf.function(lambda n: n)
    for i in range(10):
        f(i)
    said = [record.getMessage() for record in caplog.records if record.name == "tensorflow"]
    assert len(said) == 2
    assert all("5 of the last 10 calls" in each and "Tracing is expensive" in each for each in said)


def test_a_logger_that_is_silenced_silences_the_warning(recwarn, caplog):
    f = tf.function(lambda n: n)
    with caplog.at_level("ERROR", logger="tensorflow"):
        for i in range(10):
            f(i)
    assert [each for each in recwarn if issubclass(each.category, tf.RetracingWarning)] == []
    assert caplog.records == []
