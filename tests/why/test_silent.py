"""What is said of gradients that are wrong without a sign of it."""

import numpy as np
import pytest

from tests.why.asked import assert_says, told, traced, warned

# Each program, its kind, its sites (line, text, role), its shapes and pieces of what is said. Line 1 is empty.
CASES = {
    "a column with a vector": (
        """
        p, y = tf.Variable([[1.0], [2.0], [3.0]]), tf.constant([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((p - y) ** 2)
        tape.gradient(loss, p)
        """,
        "silent-broadcast",
        [(4, "p - y", "broadcast here"), (5, "tape.gradient(loss, p)", "asked here")],
        {"p": "float32 (3, 1)", "y": "float32 (3,)"},
        [
            "`p` of shape (3, 1) and `y` of shape (3,) were both repeated, to a table of shape (3, 3)",
            "tf.reshape(y, p.shape)",
        ],
    ),
    "softmax twice": (
        """
        z = tf.Variable([[0.1, 0.9], [0.4, 0.2]])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(z)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], p))
        tape.gradient(loss, z)
        """,
        "double-softmax",
        [
            (5, "tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], p)", "applied again here"),
            (4, "tf.nn.softmax(z)", "softmax here"),
            (6, "tape.gradient(loss, z)", "asked here"),
        ],
        {"p": "float32 (2, 2)"},
        ["what it is given, `p`, is the result of a softmax already"],
    ),
    "repeated eigenvalues": (
        """
        a = tf.Variable([[2.0, 0.0], [0.0, 2.0]])
        with tf.GradientTape() as tape:
            e, v = tf.linalg.eigh(a)
            y = tf.reduce_sum(v * [[1.0, 2.0], [3.0, 4.0]])
        tape.gradient(y, a)
        """,
        "degenerate-eigenvectors",
        [(4, "tf.linalg.eigh(a)", "decomposed here"), (6, "tape.gradient(y, a)", "asked here")],
        {"a": "float32 (2, 2)"},
        ["`a` has repeated eigenvalues"],
    ),
    "a term outside": (
        """
        w = tf.Variable([1.0, 2.0])
        penalty = 0.1 * tf.reduce_sum(w ** 2)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w) + penalty
        tape.gradient(loss, w)
        """,
        "computed-outside-tape",
        [(3, "0.1 * tf.reduce_sum(w ** 2)", "computed outside"), (6, "tape.gradient(loss, w)", "asked here")],
        {"loss": "float32 ()"},
        ["the gradient of `loss` with respect to `w` lacks a term", "move this line into the with block"],
    ),
    "a derivative outside": (
        """
        w, x = tf.Variable(2.0), tf.constant(3.0)
        with tf.GradientTape() as inner:
            inner.watch(x)
            f = w * x ** 2
        slope = inner.gradient(f, x)
        with tf.GradientTape() as outer:
            loss = w ** 2 + slope
        outer.gradient(loss, w)
        """,
        "derivative-not-recorded",
        [
            (6, "inner.gradient(f, x)", "differentiated here"),
            (6, "inner.gradient(f, x)", "computed outside"),
            (9, "outer.gradient(loss, w)", "asked here"),
        ],
        {"loss": "float32 ()"},
        ["it contains a gradient that was taken outside this tape"],
    ),
    "a term behind stop_gradient": (
        """
        w = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as tape:
            size = tf.reduce_sum(tf.abs(w))
            loss = tf.reduce_sum(w ** 2) + tf.stop_gradient(size)
        tape.gradient(loss, w)
        """,
        "stop-gradient-misplaced",
        [(5, "tf.stop_gradient(size)", "cut here"), (6, "tape.gradient(loss, w)", "asked here")],
        {"loss": "float32 ()"},
        ["tf.stop_gradient makes `size` a constant"],
    ),
    "a way through a variable": (
        """
        w, state = tf.Variable(0.5), tf.Variable(1.0, trainable=False)
        with tf.GradientTape() as tape:
            state.assign(w * state)
            loss = w * state
        tape.gradient(loss, w)
        """,
        "variable-assigned-in-tape",
        [(4, "state.assign(w * state)", "cut here"), (6, "tape.gradient(loss, w)", "asked here")],
        {"Variable:0": "float32 ()"},
        ["lacks a term", "assigning cuts it"],
    ),
    "a gradient function that ignores what arrives": (
        """
        @tf.custom_gradient
        def double(x):
            def grad(upstream):
                return 2.0 * tf.ones_like(x)
            return 2.0 * x, grad
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(double(x) ** 2)
        tape.gradient(loss, x)
        """,
        "custom-gradient-ignores-upstream",
        [
            (5, "2.0 * tf.ones_like(x)", "returned here"),
            (9, "double(x)", "called here"),
            (10, "tape.gradient(loss, x)", "asked here"),
        ],
        {"double": "float32 (2,)"},
        ["the gradient function of `double` does not use the upstream gradient"],
    ),
    "softmax over the batch": (
        """
        z = tf.Variable([[0.1, 0.9], [0.4, 0.2], [0.3, 0.8]])
        y = tf.one_hot([0, 1, 1], 2)
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(z, axis=0)
            loss = -tf.reduce_sum(y * tf.math.log(p))
        tape.gradient(loss, z)
        """,
        "wrong-axis",
        [
            (5, "tf.nn.softmax(z, axis=0)", "along axis 0 here"),
            (6, "y * tf.math.log(p)", "along axis 1 here"),
            (7, "tape.gradient(loss, z)", "asked here"),
        ],
        {"here": "float32 (3, 2)"},
        ["use axis=-1 here"],
    ),
    "cross entropy of one class": (
        """
        z = tf.Variable([[0.1], [0.9]])
        with tf.GradientTape() as tape:
            loss = tf.nn.softmax_cross_entropy_with_logits([[1.0], [0.0]], z)
        tape.gradient(loss, z)
        """,
        "softmax-over-one-class",
        [
            (4, "tf.nn.softmax_cross_entropy_with_logits([[1.0], [0.0]], z)", "constant here"),
            (5, "tape.gradient(loss, z)", "asked here"),
        ],
        {"logits": "float32 (2, 1)"},
        ["tf.nn.sigmoid_cross_entropy_with_logits"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_said(name, tmp_path):
    program, *expected = CASES[name]
    (cause,) = traced(program, tmp_path, np=np)
    assert_says(cause, "wrong_value", *expected)


def test_a_broadcast_is_said_without_tracing_too(tmp_path):
    program, kind, sites, shapes, _ = CASES["a column with a vector"]
    (cause,) = warned(program, tmp_path)
    assert told(cause) == (kind, sites, shapes)
    assert cause.likely


@pytest.mark.parametrize(
    "expression",
    ["a[:, None] - b", "tf.expand_dims(a, 1) - b", "tf.reshape(a, (-1, 1)) * b", "a[:, tf.newaxis] + b[tf.newaxis, :]"],
)
def test_a_table_that_is_asked_for_is_no_finding(expression, tmp_path):
    program = f"""
        a, b = tf.Variable([1.0, 2.0, 3.0]), tf.constant([1.0, 5.0, 9.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(({expression}) ** 2)
        tape.gradient(y, a)
        """
    assert traced(program, tmp_path) == []
