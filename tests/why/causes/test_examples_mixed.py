"""The explanation of `examples-mixed`, and what else is said of jacobians."""

import pytest

from tests.support.explanations import WrongValue, checks
from tests.support.programs import raised, traced

# Line 1 of each program is empty.
CASES = {
    "a mean over the batch": WrongValue(
        """
        x = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.0]])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(x - tf.reduce_mean(x, axis=0))
        tape.batch_jacobian(y, x)
        """,
        "examples-mixed",
        [(5, "tf.reduce_mean(x, axis=0)", "mixed here"), (6, "tape.batch_jacobian(y, x)", "asked here")],
        {"y": "float32 (3, 2)"},
        ["tf.reduce_mean mixes the 3 examples of the batch", "tape.jacobian(y, x) gives the derivatives between all examples"],
    ),
    "products of examples": WrongValue(
        """
        x = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.0]])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.nn.softmax(x @ tf.transpose(x)) @ x
        tape.batch_jacobian(y, x)
        """,
        "examples-mixed",
        [(5, "x @ tf.transpose(x)", "mixed here"), (6, "tape.batch_jacobian(y, x)", "asked here")],
        {"y": "float32 (3, 2)"},
        ["`x @ tf.transpose(x)` mixes the 3 examples"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


@pytest.mark.parametrize(
    "y",
    ["x ** 2", "x - tf.reduce_mean(x, axis=1, keepdims=True)", "tf.nn.softmax(x)", "x * tf.constant([[1.0], [2.0]])"],
)
def test_examples_that_are_computed_by_themselves_are_no_finding(y, tmp_path):
    program = f"""
        x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = {y}
        tape.batch_jacobian(y, x)
        """
    assert traced(program, tmp_path) == []


def test_a_batch_jacobian_of_zeros_in_place_of_none_is_explained(tmp_path):
    (cause,) = traced(
        """
        x, c = tf.ones((3, 2)), tf.ones((3, 2))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.round(x) * c
        assert not tf.reduce_any(tape.batch_jacobian(y, x) != 0.0)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.text) == ("non-differentiable-op", "tf.round(x)")
    assert "the batch jacobian of `y` with respect to `x` is zero, in place of None" in cause.sentence


@pytest.mark.parametrize("method", ["gradient", "jacobian"])
def test_a_derivative_of_a_jacobian_that_was_not_recorded(method, tmp_path):
    (cause,) = traced(
        f"""
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as inner:
            y = x ** 3
        j = inner.{method}(y, x)
        with tf.GradientTape() as outer:
            penalty = tf.reduce_sum(j ** 2)
        outer.jacobian(penalty, x)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.text) == ("derivative-not-recorded", f"inner.{method}(y, x)")
    assert "the jacobian of `penalty` with respect to `x` is None" in cause.sentence


def test_a_jacobian_that_is_zero_at_a_target_of_zeros_is_flat(tmp_path):
    (cause,) = traced(
        """
        x = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as tape:
            y = tf.nn.relu(x - 5.0)
        tape.jacobian(y, x)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.text) == ("saturated-region", "tf.nn.relu(x - 5.0)")
    assert "the jacobian of `y` with respect to `x` is zero everywhere" in cause.sentence


@pytest.mark.parametrize(
    "asked",
    [
        "jacobian(y, x, experimental_use_pfor=False)",
        "batch_jacobian(y, x, experimental_use_pfor=False)",
        "batch_jacobian(y, x, parallel_iterations=2)",
    ],
)
def test_rows_one_by_one_need_a_persistent_tape(asked, tmp_path):
    (cause,) = raised(
        f"""
        x = tf.Variable([[1.0, -2.0]])
        with tf.GradientTape() as tape:
            y = x ** 2
        tape.{asked}
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.line) == ("invalid-argument", 5)
    assert "tf.GradientTape(persistent=True)" in cause.help
