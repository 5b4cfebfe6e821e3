"""The explanation of `saturated-region`."""

import pytest

from tests.support.explanations import Zero, checks
from tests.support.programs import traced, warned

# Line 1 of each program is empty.
CASES = {
    "a dead relu": Zero(
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
    "clipped away": Zero(
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
    "a mask of the data that lets nothing through": Zero(
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


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_one_source_of_several_with_a_zero_gradient(tmp_path):
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


def test_a_finding_is_withdrawn_when_later_steps_have_a_gradient(tmp_path):
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


@pytest.mark.parametrize("found_in", [traced, warned])
def test_zeros_that_stay_while_some_of_the_losses_are_zero(found_in, tmp_path):
    program = """
    w = tf.Variable([1.0, -1.0])
    for scale, label in {samples}:
        with tf.GradientTape() as tape:
            loss = -tf.math.log(tf.nn.softmax(w * scale)[label] + 1e-9)
        tape.gradient(loss, w)
    """
    first = [(1.0, 0), (9e3, 1), (9e3, 1), (9e3, 0)]  # the third sample that gives zeros is classified right
    (cause,) = found_in(program.format(samples=[*first, *[(9e3, 1)] * 3]), tmp_path)
    assert (cause.kind, cause.site.text) == ("saturated-region", "tf.nn.softmax(w * scale)")
    assert found_in(program.format(samples=[*first, *[(9e3, 0)] * 3]), tmp_path) == []


def test_zeros_that_the_program_passes_as_upstream_gradient_are_no_finding(tmp_path):
    program = """
w = tf.Variable([1.0, 2.0])
for _ in range(4):
    with tf.GradientTape() as tape:
        y = w * 3.0
    tape.gradient(y, w, output_gradients=tf.zeros(2))
"""
    assert traced(program, tmp_path) == []


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


@pytest.mark.parametrize(("bias", "led_there"), [("1.0", True), ("-30.0", False)])
def test_a_step_that_led_there_is_named_where_gradients_were_not_zero_before(bias, led_there, tmp_path):
    program = f"""
        b = tf.Variable({bias})
        for _ in range(5):
            with tf.GradientTape() as tape:
                loss = tf.nn.relu(b) + 1.0
            b.assign_sub(20.0 * tape.gradient(loss, b))
        """
    (cause,) = traced(program, tmp_path)
    assert cause.kind == "saturated-region"
    assert ("so that a step led there" in cause.help) is led_there


@pytest.mark.parametrize(("found_in", "steps"), [(traced, 3), (warned, 9)])
def test_integers_that_are_zero_at_every_step(found_in, steps, tmp_path):
    program = """
    w, b = tf.Variable([[1.0], [2.0]]), tf.Variable(0.5)
    for batch in {batches}:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.cast(batch, tf.float32) @ w + b - 1.0) ** 2)
        tape.gradient(loss, [w, b])
    """
    zeros, data, floats = [[0, 0], [0, 0]], [[1, 3], [2, 0]], [[0.0, 0.0], [0.0, 0.0]]
    (cause,) = found_in(program.format(batches=[zeros] * steps), tmp_path)
    assert (cause.kind, cause.site.role, cause.likely) == ("saturated-region", "multiplied by zeros here", True)
    assert "which is 0 at all 4 elements, as at the calls before" in cause.sentence
    assert found_in(program.format(batches=[zeros] * (steps - 1) + [data] + [zeros] * 2), tmp_path) == []
    assert found_in(program.format(batches=[floats] * steps), tmp_path) == []  # a first state, or data yet to come
