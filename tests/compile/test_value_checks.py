"""Checks of values inside functions: each call makes them, and those compiled with `jit_compile=True` leave them out."""

import numpy as np
import pytest

import whygrad as tf

ASSERTIONS = [
    ("Expected .* to be true", lambda x: tf.Assert(tf.reduce_all(x > 0.0), ["x:", x])),
    ("Condition x < y did not hold", lambda x: tf.debugging.assert_less(tf.constant([0.0, 0.0]), x)),
    ("x and y not equal to tolerance", lambda x: tf.debugging.assert_near(x, tf.abs(x))),
    ("Condition x > 0 did not hold", lambda x: tf.debugging.assert_positive(x, "weights")),
    ("loss : Tensor had NaN values", lambda x: tf.debugging.check_numerics(tf.sqrt(x), "loss")),
]


@pytest.mark.parametrize("compiles", [True, False], ids=["compiled", "op by op"])
@pytest.mark.parametrize(("sentence", "assertion"), ASSERTIONS)
def test_each_call_checks(sentence, assertion, compiles):
    v = tf.Variable(0.0)

    @tf.function
    def checked(x):
        v.assign_add(1.0)
        assertion(x)
        return x * 2.0

    def call(x):
        if compiles:
            return checked(x)
        with tf.tracing():
            return checked(x)

    assert call(tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match=sentence):
        call(tf.constant([1.0, -2.0]))
    assert call(tf.constant([3.0, 4.0])).numpy().tolist() == [6.0, 8.0]
    if compiles:  # a call that fails assigns nothing
        assert v.numpy() == 2.0


def test_with_jit_compile_nothing_is_checked():
    for _, assertion in ASSERTIONS:
        unchecked = tf.function(lambda x, assertion=assertion: (assertion(x), x)[1], jit_compile=True)
        assert unchecked(tf.constant([1.0, -2.0])).numpy().tolist() == [1.0, -2.0]


def test_the_first_of_several_checks_is_reported_with_its_line():
    @tf.function
    def checked(x):
        tf.debugging.assert_less(x, 9.0, message="first")
        tf.debugging.assert_less(x, 8.0, message="second")
        return x

    for x in (10.0, 9.5):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^first") as caught:
            checked(tf.constant(x))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"^second"):
        checked(tf.constant(8.5))
    assert f"checked in `checked`: {__file__}, line {checked.python_function.__code__.co_firstlineno + 2}" in str(
        caught.value.__notes__
    )


def test_branches_loops_and_gradients_check():
    @tf.function
    def program(x):
        if tf.reduce_sum(x) > 0.0:
            tf.debugging.assert_less(x, 5.0)
        for _ in tf.range(3):
            x = x * 2.0
            tf.debugging.assert_less(x, 30.0, message="in the loop")
        return tf.reduce_sum(x)

    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = program(x)
        return tape.gradient(y, x)

    assert gradient(tf.constant([1.0, 2.0])).numpy().tolist() == [8.0, 8.0]
    for x, sentence in [([1.0, 6.0], "Condition x < y"), ([-90.0, 6.0], "in the loop")]:
        for run in (program, gradient):
            with pytest.raises(tf.errors.InvalidArgumentError, match=sentence):
                run(tf.constant(x))


def test_a_gradient_is_checked_too():
    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sqrt(tf.debugging.check_numerics(x, "x"))
        return tape.gradient(y, x)

    assert gradient(tf.constant(4.0)).numpy() == np.float32(0.25)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"detected in gradient\. x : Tensor had Inf"):
        gradient(tf.constant(0.0))


def test_shapes_are_checked_while_a_function_is_traced():
    checked = tf.function(lambda x: tf.debugging.assert_shapes([(x, (2,))]), jit_compile=True)
    with pytest.raises(ValueError, match="dimension 0 must have size 2"):
        checked(tf.zeros(3))
