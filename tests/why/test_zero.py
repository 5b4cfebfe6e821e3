"""What is said of a gradient that is zero everywhere, and when nothing is said."""

import numpy as np
import pytest

from tests.why.asked import assert_says, traced

# Each program, its kind, its sites (line, text, role), its shapes and pieces of what is said. Line 1 is empty.
CASES = {
    "a dead relu": (
        """
        b = tf.Variable([-2.0, -3.0])
        with tf.GradientTape() as tape:
            h = tf.nn.relu(b + 1.0)
            y = tf.reduce_sum((h - 1.0) ** 2)
        tape.gradient(y, b)
        """,
        "saturated-region",
        [(4, "tf.nn.relu(b + 1.0)", "flat here"), (6, "tape.gradient(y, b)", "asked here")],
        {"b + 1.0": "float32 (2,)"},
        [
            "the gradient of `y` with respect to `b` is zero everywhere",
            "each of the 2 elements of `b + 1.0`, from -2 to -1, lies where tf.nn.relu is flat",
        ],
    ),
    "clipped away": (
        """
        a = tf.Variable(2.5)
        with tf.GradientTape() as tape:
            y = (tf.clip_by_value(a, -1.0, 1.0) - 0.5) ** 2
        tape.gradient(y, a)
        """,
        "saturated-region",
        [(4, "tf.clip_by_value(a, -1.0, 1.0)", "flat here"), (5, "tape.gradient(y, a)", "asked here")],
        {"a": "float32 ()"},
        ["`a`, 2.5, lies where tf.clip_by_value is flat"],
    ),
    "softmax over one class": (
        """
        z = tf.Variable([[0.3], [0.7]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum((tf.nn.softmax(z) - 0.2) ** 2)
        tape.gradient(y, z)
        """,
        "softmax-over-one-class",
        [(4, "tf.nn.softmax(z)", "constant here"), (5, "tape.gradient(y, z)", "asked here")],
        {"z": "float32 (2, 1)"},
        ["softmax over one class is 1, whatever `z` is", "tf.sigmoid"],
    ),
    "a sum that never changes": (
        """
        z = tf.Variable([0.3, 0.7])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(z)
        tape.gradient(p, z)
        """,
        "non-scalar-target-summed",
        [(5, "tape.gradient(p, z)", "summed here"), (4, "tf.nn.softmax(z)", "made here")],
        {"p": "float32 (2,)"},
        ["gradient() sums the 2 elements of the target", "tape.jacobian(p, z)"],
    ),
    "a second derivative of pieces": (
        """
        x = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as second:
            with tf.GradientTape() as first:
                y = tf.reduce_sum(tf.abs(x))
            slope = first.gradient(y, x)
        second.gradient(slope, x)
        """,
        "piecewise-linear-second-derivative",
        [(5, "tf.abs(x)", "linear in pieces"), (7, "second.gradient(slope, x)", "asked here")],
        {"x": "float32 (2,)"},
        ["tf.abs is linear in pieces", "use a smooth function"],
    ),
    "a root of float16's infinity": (
        """
        f = tf.Variable(tf.constant([200.0, 300.0], tf.float16))
        with tf.GradientTape() as tape:
            size = tf.sqrt(tf.reduce_sum(f * f))
        tape.gradient(size, f)
        """,
        "half-precision-range",
        [(4, "f * f", "born here"), (5, "tape.gradient(size, f)", "asked here")],
        {"here": "float16 (2,)"},
        ["is zero everywhere: `f * f` leaves the range of float16 (65504)"],
    ),
    "a sign": (
        """
        w = tf.Variable([0.4, -0.2])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sign(w) * 3.0 + 1.0)
        tape.gradient(y, w)
        """,
        "non-differentiable-op",
        [(4, "tf.sign(w)", "cut here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
        ["tf.sign is constant on both sides of 0"],
    ),
    "a mask of the data that lets nothing through": (
        """
        w = tf.Variable([1.0, 2.0, 3.0])
        keep = tf.cast(tf.sequence_mask(0, 3), tf.float32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(w) * keep)
        tape.gradient(loss, w)
        """,
        "saturated-region",
        [(5, "tf.square(w) * keep", "masked here"), (6, "tape.gradient(loss, w)", "asked here")],
        {"tf.square(w)": "float32 (3,)"},
        ["multiplied by `keep`, which is 0 at all 3 elements", "no element of it is true"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_said(name, tmp_path):
    program, *expected = CASES[name]
    found = traced(program, tmp_path, np=np)
    assert_says(found[0], "zero", *expected)


def test_one_source_of_several_is_enough(tmp_path):
    (cause,) = traced(
        """
        w, c = tf.Variable([0.1]), tf.Variable([5.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(w * 2.0 + tf.minimum(c, 1.0))
        tape.gradient(y, [w, c])
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.text) == ("saturated-region", "tf.minimum(c, 1.0)")
    assert "with respect to `c`" in cause.sentence


def test_a_zero_that_later_steps_refute_is_withdrawn(tmp_path):
    program = """
        b = tf.Variable([0.0])
        for shift in {shifts}:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum((tf.nn.relu(b + shift) - 9.0) ** 2)
            tape.gradient(y, b)
        """
    assert traced(program.format(shifts=[-1.0, 2.0]), tmp_path) == []
    assert traced(program.format(shifts=[2.0, -1.0, 2.0, -1.0]), tmp_path) == []
    (stays,) = traced(program.format(shifts=[2.0, -1.0, -1.0, -1.0]), tmp_path)
    assert stays.kind == "saturated-region"


def test_a_minimum_is_no_finding(tmp_path):
    assert (
        traced(
            """
            w = tf.Variable([2.0])
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.maximum(0.0, 1.0 - w))
            tape.gradient(y, w)
            """,
            tmp_path,
        )
        == []
    )


def test_a_softmax_is_flat_only_where_it_has_decided(tmp_path):
    program = """
    logits = tf.Variable({})
    with tf.GradientTape() as tape:
        share = tf.nn.softmax(logits)
        loss = tf.reduce_sum(share * tf.constant({}))
    tape.gradient(loss, logits)
    """
    (cause,) = traced(program.format([0.0, 500.0], [1.0, 3.0]), tmp_path)
    assert (cause.kind, cause.site.text) == ("saturated-region", "tf.nn.softmax(logits)")
    assert traced(program.format([0.0, 0.0], [1.0, 1.0]), tmp_path) == []  # the same for both classes


@pytest.mark.parametrize(
    "factor",
    [
        "tf.constant([0.0, 0.0, 0.0])",  # rewards of an episode, or weights: numbers that happen to be 0
        "tf.cast(w > 5.0, tf.float32)",  # a hinge that is satisfied everywhere
        "0.0",  # a term that is switched off
    ],
)
def test_a_factor_that_happens_to_be_zero_is_no_mask(factor, tmp_path):
    program = f"""
        w = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(w) * {factor})
        tape.gradient(loss, w)
        """
    assert traced(program, tmp_path) == []
