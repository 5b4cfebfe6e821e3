"""What is said of an inf or nan: kind, lines, columns, counts, offending values and shapes, as closely as numbers."""

import numpy as np
import pytest

import whygrad as tf
from tests.why.asked import assert_says, raised, told, traced

# Each program, its kind, its sites (line, text, role), its shapes and pieces of what is said. Line 1 is empty.
CASES = {
    "log of 0": (
        """
        p = tf.Variable([0.5, 0.0, 0.5])
        with tf.GradientTape() as tape:
            entropy = -tf.reduce_sum(p * tf.math.log(p))
        tape.gradient(entropy, p)
        """,
        "log-of-zero",
        [(4, "tf.math.log(p)", "born here"), (5, "tape.gradient(entropy, p)", "asked here")],
        {"p": "float32 (3,)"},
        [
            "the gradient of `entropy` with respect to `p` is not finite",
            "of `p`, which is exactly 0 at 1 of 3 elements",
            "tf.math.log(p + 1e-7)",
        ],
    ),
    "exp beyond the range": (
        """
        rate = tf.Variable([1.0, 100.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.math.log(1.0 + tf.exp(rate)))
        tape.gradient(y, rate)
        """,
        "exp-overflow",
        [(4, "tf.exp(rate)", "born here"), (5, "tape.gradient(y, rate)", "asked here")],
        {"rate": "float32 (2,)"},
        ["tf.exp of 100 is beyond the range of float32, which ends at exp(88.7)", "tf.nn.softplus"],
    ),
    "exp beyond the range, of which a quotient leaves 0": (
        """
        z = tf.Variable([10.0, 90.0])
        with tf.GradientTape() as tape:
            share = tf.exp(z) / tf.reduce_sum(tf.exp(z))
            loss = -tf.math.log(share[0])
        tape.gradient(loss, z)
        """,
        "exp-overflow",
        [(4, "tf.exp(z)", "born here"), (6, "tape.gradient(loss, z)", "asked here")],
        {"z": "float32 (2,)"},
        ["tf.exp of 90 is beyond the range of float32", "tf.nn.softmax"],
    ),
    "an angle at the origin": (
        """
        x, y = tf.Variable([0.0, 1.0]), tf.Variable([0.0, 1.0])
        with tf.GradientTape() as tape:
            angle = tf.atan2(y, x)
        tape.gradient(angle, y)
        """,
        "zero-divided-by-zero",
        [(4, "tf.atan2(y, x)", "born here"), (5, "tape.gradient(angle, y)", "asked here")],
        {"y": "float32 (2,)", "x": "float32 (2,)"},
        ["tf.atan2 has no slope at the origin: `y` and `x` are 0", "add a small constant to the second argument"],
    ),
    "a distance of 0 along an axis": (
        """
        points = tf.Variable([[0.0, 0.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.norm(points, axis=-1, keepdims=True)) + tf.reduce_sum(tf.norm(points + 1.0, 2, 0))
        tape.gradient(y, points)
        """,
        "infinite-slope",
        [
            (4, "tf.norm(points, axis=-1, keepdims=True)", "born here"),
            (5, "tape.gradient(y, points)", "asked here"),
        ],
        {"points": "float32 (2, 2)"},
        ["tf.sqrt(tf.reduce_sum(tf.square(points), axis=-1, keepdims=True) + 1e-12)"],
    ),
    "0 divided by 0": (
        """
        a = tf.Variable([[3.0, 1.0], [0.0, 0.0]])
        with tf.GradientTape() as tape:
            s = tf.reduce_sum(a, axis=1, keepdims=True)
            y = tf.reduce_sum(a / s)
        tape.gradient(y, a)
        """,
        "zero-divided-by-zero",
        [(5, "a / s", "born here"), (6, "tape.gradient(y, a)", "asked here")],
        {"a": "float32 (2, 2)", "s": "float32 (2, 1)"},
        ["0 is divided by 0 at 2 of 4 elements", "add a small constant to `s`"],
    ),
    "divided by a length of 0": (
        """
        a = tf.Variable([[3.0, 4.0], [0.0, 0.0]])
        with tf.GradientTape() as tape:
            length = tf.norm(a, axis=1, keepdims=True)
            y = tf.reduce_sum(a / length)
        tape.gradient(y, a)
        """,
        "zero-divided-by-zero",
        [(5, "a / length", "born here"), (6, "tape.gradient(y, a)", "asked here")],
        {"a": "float32 (2, 2)", "length": "float32 (2, 1)"},
        ["inside of the root", "tf.sqrt(tf.reduce_sum(tf.square(a), axis=1, keepdims=True) + 1e-12)"],
    ),
    "a root at 0": (
        """
        x = tf.Variable([0.0, 4.0, 0.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        tape.gradient(y, x)
        """,
        "infinite-slope",
        [(4, "tf.sqrt(x)", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (3,)"},
        ["tf.sqrt is evaluated at exactly 0, at 2 of 3 elements", "tf.sqrt(x + 1e-12)"],
    ),
    "a power at 0": (
        """
        x = tf.Variable([0.0, 4.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x ** 0.5)
        tape.gradient(y, x)
        """,
        "infinite-slope",
        [(4, "x ** 0.5", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (2,)", "0.5": "float32 ()"},
        ["`x ** 0.5` is evaluated at exactly 0, at 1 of 2 elements", "(x + 1e-12) ** 0.5"],
    ),
    "an arc cosine at 1": (
        """
        c = tf.Variable([1.0, 0.5])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.acos(c))
        tape.gradient(y, c)
        """,
        "infinite-slope",
        [(4, "tf.acos(c)", "born here"), (5, "tape.gradient(y, c)", "asked here")],
        {"c": "float32 (2,)"},
        ["tf.acos is evaluated at 1, where its slope is infinite", "tf.clip_by_value(c"],
    ),
    "a branch that is not chosen": (
        """
        x = tf.Variable([1.0, 0.0, 2.0])
        with tf.GradientTape() as tape:
            logs = tf.math.log(x)
            safe = tf.where(x > 0.0, logs, 0.0)
            y = tf.reduce_sum(safe)
        tape.gradient(y, x)
        """,
        "where-nan-branch",
        [
            (4, "tf.math.log(x)", "not finite here"),
            (5, "tf.where(x > 0.0, logs, 0.0)", "hidden here"),
            (7, "tape.gradient(y, x)", "asked here"),
        ],
        {"x": "float32 (3,)"},
        [
            "tf.where hides an invalid value of tf.math.log at 1 of 3 elements, the first at [1]",
            "tf.where(condition, x, 1.0)",
        ],
    ),
    "nan in the data": (
        """
        data = np.array([[1.0, 2.0], [np.nan, 4.0]], "float32")
        w = tf.Variable([[1.0], [1.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.matmul(data, w))
        tape.gradient(y, w)
        """,
        "nan-in-data",
        [
            (5, "tf.matmul(data, w)", "first used here"),
            (5, "tf.matmul(data, w)", "came in here"),
            (6, "tape.gradient(y, w)", "asked here"),
        ],
        {"data": "float32 (2, 2)", "w": "float32 (2, 1)"},
        ["the data hold nan, 1 of 4 elements, the first at [1, 0]"],
    ),
    "a masked row": (
        """
        s = tf.Variable([[1.0, 2.0, 0.5], [3.0, 4.0, 0.1]])
        with tf.GradientTape() as tape:
            masked = tf.where([[True, True, False], [False, False, False]], s, float("-inf"))
            y = tf.reduce_sum(tf.nn.softmax(masked) ** 2)
        tape.gradient(y, s)
        """,
        "fully-masked-softmax",
        [(5, "tf.nn.softmax(masked)", "born here"), (6, "tape.gradient(y, s)", "asked here")],
        {"masked": "float32 (2, 3)"},
        ["a row of the softmax is -inf in every position", "-1e9"],
    ),
    "float16": (
        """
        x = tf.Variable(tf.constant([300.0, 2.0], tf.float16))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x) - 1.0
        tape.gradient(y, x)
        """,
        "half-precision-range",
        [(4, "x * x", "born here"), (5, "tape.gradient(y, x)", "asked here")],
        {"here": "float16 (2,)"},
        ["`x * x` leaves the range of float16 (65504)"],
    ),
    "a matrix without an inverse": (
        """
        k = tf.Variable([[1.0, 1.0], [1.0, 1.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.linalg.cholesky(k))
        tape.gradient(y, k)
        """,
        "singular-matrix",
        [(4, "tf.linalg.cholesky(k)", "born here"), (5, "tape.gradient(y, k)", "asked here")],
        {"k": "float32 (2, 2)"},
        ["the matrix `k` given to tf.linalg.cholesky is singular or not positive definite"],
    ),
    "a sum that diverges": (
        """
        x = np.ones((50, 1), "float32")
        w = tf.Variable([[3.0]])
        for step in range(60):
            with tf.GradientTape() as tape:
                error = tf.matmul(x, w) - 1.0
                loss = tf.reduce_sum(error ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        """,
        "loss-scales-with-batch",
        [
            (7, "tf.reduce_sum(error ** 2)", "summed here"),
            (7, "tf.reduce_sum(error ** 2)", "too large here"),
            (8, "tape.gradient(loss, w)", "asked here"),
        ],
        {"summed": "float32 (50, 1)"},
        ["the loss is a sum over 50 elements", "tf.reduce_mean in place of tf.reduce_sum"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_said(name, tmp_path):
    program, *expected = CASES[name]
    found = traced(program, tmp_path, np=np)
    assert_says(found[0], "nonfinite", *expected)


def test_the_count_and_the_first_place_are_noted(tmp_path):
    (cause,) = traced(
        """
        x = tf.Variable(tf.zeros((4, 32)))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(1.0 / (x + np.eye(4, 32, 2, dtype="float32")))
        tape.gradient(y, x)
        """,
        tmp_path,
        np=np,
    )
    assert cause.sites[0].note == "124 of 128 elements, the first at [0, 0]"


def test_only_the_first_nan_of_a_program_is_explained(tmp_path):
    found = traced(
        """
        w = tf.Variable([0.0, 1.0])
        for step in range(3):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.math.log(w))
            w.assign_sub(tape.gradient(y, w))
        with tf.GradientTape() as tape:
            z = tf.reduce_sum(tf.exp(w))
        tape.gradient(z, w)
        """,
        tmp_path,
    )
    assert [(cause.kind, cause.site.line) for cause in found] == [("log-of-zero", 5)]


def test_a_program_without_source_is_explained_too():
    with tf.tracing() as trace:
        exec(
            compile(
                "x = tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n    y = tf.math.log(x)\ntape.gradient(y, x)\n",
                "<nowhere>",
                "exec",
            ),
            {"tf": tf},
        )
    (cause,) = trace.findings
    assert (cause.kind, cause.site.line, cause.site.text) == ("log-of-zero", 3, "")


# -- check_numerics --


@pytest.fixture
def checking():
    tf.debugging.enable_check_numerics()
    yield
    tf.debugging.disable_check_numerics()


@pytest.mark.usefixtures("checking")
def test_an_op_that_makes_inf_raises_with_its_birthplace(tmp_path):
    (cause,) = raised(
        """
        x = tf.constant([1.0, 0.0])
        y = tf.math.log(x)
        """,
        tmp_path,
    )
    assert told(cause) == ("log-of-zero", [(3, "tf.math.log(x)", "born here")], {"x": "float32 (2,)"})
    assert cause.symptom == "exception"


@pytest.mark.usefixtures("checking")
def test_the_error_has_tensorflows_sentence():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.math.log([1.0, 0.0, -1.0])
    message = str(caught.value)
    assert '!!! Detected Infinity or NaN in output 0 of eagerly-executing op "Log" (# of outputs: 1) !!!' in message
    assert "# of -Inf elements: 1" in message
    assert "# of +NaN elements: 1" in message
    assert "Tensor had -Inf and NaN values" in message


@pytest.mark.usefixtures("checking")
def test_a_rule_that_makes_inf_raises_with_the_line_of_its_op(tmp_path):
    (cause,) = raised(
        """
        x = tf.Variable([0.0, 1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        tape.gradient(y, x)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.line, cause.site.text) == ("infinite-slope", 4, "tf.sqrt(x)")


@pytest.mark.usefixtures("checking")
def test_what_is_finite_or_only_moved_passes():
    tf.debugging.enable_check_numerics()  # twice is once
    nan = tf.constant([1.0, float("nan")])
    assert tf.reshape(nan, (2, 1)).shape == (2, 1)
    x = tf.Variable([1.0, 4.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.sqrt(x))
    np.testing.assert_allclose(tape.gradient(y, x), [0.5, 0.25])


def test_nothing_is_checked_afterwards():
    tf.debugging.enable_check_numerics()
    tf.debugging.disable_check_numerics()
    tf.debugging.disable_check_numerics()
    assert tf.math.log(0.0).numpy() == -np.inf
