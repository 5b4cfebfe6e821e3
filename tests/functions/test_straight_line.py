"""A program that no recorder sees runs as one Python function, and gives what its steps give, bit by bit."""

import tracemalloc

import numpy as np
import pytest

import whygrad as tf
from whygrad.compile import replay
from whygrad.compile.replay import Program
from whygrad.engines.numpy import engine

CALLS = 4  # the function is written before the last of them


def program(python, *tensors):
    return Program("f", lambda *given: python(*given), [each._array for each in tensors])


def called(python, *tensors, straight=True):
    """The results of the last of some calls, and whether it ran as one function."""
    made = program(python, *tensors)
    for _ in range(CALLS):
        results = made.run(list(tensors), {})
    assert (made._straight is not None) == straight
    return [None if each is None else each.numpy() for each in results]


def by_steps(monkeypatch, python, *tensors):
    with monkeypatch.context() as patch:
        patch.setattr(replay, "_CALLS_BEFORE_STRAIGHT", 100)
        return called(python, *tensors, straight=False)


def some(*shape):
    return tf.constant(np.random.default_rng(0).normal(size=shape).astype(np.float32))


def intermediate_results(x, y):
    a = x * y + 1.0
    b = a * 2.0
    return [a, b, tf.exp(b) - a, x, 3.0]


def views_of_what_is_used_later(x, y):
    a = x + y
    rows = tf.reshape(a, [-1])
    part = a[1:, :2]
    b = a * a  # the last use of `a`, whose memory the views have
    return [rows, part, b, tf.transpose(b) * 2.0]


def several_results_of_a_kernel(x, y):
    left, right = tf.split(x * y, 2, axis=1)
    values, places = tf.math.top_k(left + right, 2)
    return [left - right, values, places, tf.concat([left, right], 0)]


def scalars(x, y):
    n = tf.reduce_sum(x)
    rate = tf.sqrt(1.0 - tf.pow(0.9, tf.cast(n > 0.0, tf.float32) + 2.0)) / 3.0
    return [rate, tf.reshape(rate, [1]), x * rate, tf.stack([rate, n])]


def mixed_orders(x, y):
    a = tf.transpose(x) + tf.transpose(y)
    return [tf.reduce_sum(a * tf.transpose(y)), tf.reduce_sum(a / (tf.reshape(y, [6, 4]) + 5.0), 0)]


def casts_and_choices(x, y):
    small = tf.cast(x, tf.bfloat16) * tf.cast(y, tf.bfloat16)
    return [small, tf.where(x > y, x, -y), tf.cast(small, tf.float64), tf.maximum(x, 0.0), tf.cast(x * 10, tf.int8)]


@pytest.mark.parametrize(
    "python",
    [
        intermediate_results,
        views_of_what_is_used_later,
        several_results_of_a_kernel,
        scalars,
        mixed_orders,
        casts_and_choices,
    ],
)
def test_results_are_those_of_the_steps(monkeypatch, python):
    python_of_tensors = lambda *given: [tf.convert_to_tensor(each) for each in python(*given)]
    x, y = some(4, 6), some(4, 6) * 2.0 - 1.0
    before = x.numpy(), y.numpy()
    found, expected = called(python_of_tensors, x, y), by_steps(monkeypatch, python_of_tensors, x, y)
    for ours, steps in zip(found, expected, strict=True):
        assert (ours.dtype, ours.shape, ours.strides) == (steps.dtype, steps.shape, steps.strides)
        assert ours.tobytes() == steps.tobytes()
    assert np.array_equal(x, before[0])
    assert np.array_equal(y, before[1])


def test_variables_are_read_and_assigned_in_turn():
    v, w = tf.Variable(some(3)), tf.Variable([0.0, 0.0, 0.0])

    def update(g):
        v.assign_sub(g * 0.5)
        w.assign(v + g)
        v.assign(v * 2.0)
        return [v.read_value() + w]

    before, g = v.numpy(), some(3)
    expected = before
    made = program(update, g)
    for _ in range(CALLS):
        half = expected - g.numpy() * np.float32(0.5)
        expected, other = half * np.float32(2.0), half + g.numpy()
        (result,) = made.run([g], {})
        assert np.array_equal(v, expected)
        assert np.array_equal(w, other)
        assert np.array_equal(result, expected + other)
    assert made._straight is not None


def test_a_kernel_runs_once_for_the_same_operands(monkeypatch):
    calls = []
    power = type(engine).power
    made = program(lambda x, y: [tf.pow(x, 2.5) + y, tf.pow(x, 2.5) * y, tf.pow(x, 1.5)], some(3), some(3))
    monkeypatch.setattr(type(engine), "power", lambda *given: calls.append(given) or power(*given))
    counts = []
    for _ in range(CALLS):
        made.run([some(3), some(3)], {})
        counts.append(len(calls))
        calls.clear()
    assert counts == [3, 3, 2, 2]


def test_a_ufunc_writes_into_memory_that_nothing_else_refers_to():
    x = some(1000, 100)
    made = program(lambda x: [tf.sqrt(x * x + 1.0) - 3.0], x)
    for _ in range(CALLS):
        made.run([x], {})
    tracemalloc.start()
    try:
        (result,) = made.run([x], {})
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert 400_000 < most < 500_000
    assert np.array_equal(result, tf.sqrt(x * x + 1.0) - 3.0)


def test_what_was_assumed_of_arrays_is_checked():
    v = tf.Variable(some(2, 3), shape=[None, 3])
    python = lambda x: [tf.reduce_sum((x + v) * v, 0)]
    made = program(python, some(2, 3))
    for _ in range(CALLS):
        made.run([some(2, 3)], {})
    in_other_order = tf.transpose(tf.constant(some(2, 3).numpy().T))
    (result,) = made.run([in_other_order], {})
    assert np.array_equal(result, python(in_other_order)[0])
    v.assign(some(1, 3))
    (result,) = made.run([some(2, 3)], {})
    assert np.array_equal(result, python(some(2, 3))[0])


def test_a_kernel_that_refuses_a_value_leaves_variables_as_they_were():
    v = tf.Variable([1.0, 2.0])

    def update(i):
        v.assign(v * 2.0)
        return [tf.gather(v, i)]

    made = program(update, tf.constant(0))
    for _ in range(CALLS):
        made.run([tf.constant(0)], {})
    assert made._straight is not None
    before = v.numpy()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"7 is not in \[0, 2\)"):
        made.run([tf.constant(7)], {})
    assert np.array_equal(v, before)
    assert made.run([tf.constant(1)], {})[0] == before[1] * 2.0


def test_recorders_see_every_op():
    x = some(3)
    made = program(lambda x: [tf.exp(x) * 2.0], x)
    for _ in range(CALLS):
        made.run([x], {})
    with tf.GradientTape() as tape:
        tape.watch(x)
        (y,) = made.run([x], {})
    np.testing.assert_array_equal(tape.gradient(y, x), tf.exp(x) * 2.0)
    with tf.tracing() as trace:
        made.run([x], {})
    assert sum(trace.counts.values()) == 2


@pytest.mark.parametrize(
    "python", [lambda x: [x + tf.random.normal([3])], lambda x: [tf.cond(x[0] > 0.0, lambda: x, lambda: -x)]]
)
def test_other_steps_run_one_by_one(python):
    first, second = called(python, some(3), straight=False), called(python, some(3), straight=False)
    assert first[0].shape == second[0].shape == (3,)
