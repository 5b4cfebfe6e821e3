"""Threads and compiled functions: tracing is seen by its own thread only, and calls lose no updates."""

import threading

import numpy as np
import pytest

import whygrad as tf
from tests.support.threads import in_thread, run_together
from whygrad.values.recorders import private_values, state

THREADS, CALLS = 4, 200


def repeated(call):
    def work():
        for _ in range(CALLS):
            call()

    return work


# -- tracing --


def test_another_thread_assigns_a_variable_that_is_being_traced():
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        before = v * x
        in_thread(lambda: v.assign(5.0))
        return before + v

    f(tf.constant(2.0))
    assert v.numpy() == 5.0
    assert f(tf.constant(2.0)).numpy() == 15.0
    v.assign(1.0)
    assert f(tf.constant(2.0)).numpy() == 3.0


def test_an_assignment_by_another_thread_survives_the_trace_of_a_function_that_assigns():
    v = tf.Variable(1.0)
    traces = []

    @tf.function
    def f():
        v.assign_add(1.0)
        traces.append(in_thread(lambda: v.assign_add(10.0)))

    f()
    assert len(traces) == 1
    assert v.numpy() == 12.0


def test_other_threads_see_values_while_a_function_is_traced(tmp_path):
    v, w = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    checkpoint = tf.train.Checkpoint(v=v, w=w)
    seen = []

    def look():
        path = checkpoint.write(str(tmp_path / "during"))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v * w)
        seen.extend([v.numpy().tolist(), float(w), repr(w), tape.gradient(y, w).numpy(), path])

    @tf.function
    def f(x):
        y = v * x
        w.assign(9.0)
        in_thread(look)
        return y

    f(tf.constant(2.0))
    assert seen[:2] == [[1.0, 2.0], 3.0]
    assert "numpy=3.0" in seen[2]
    assert seen[3] == 3.0
    w.assign(0.0)
    checkpoint.read(seen[4]).assert_consumed()
    assert w.numpy() == 3.0


def test_a_thread_uses_a_compiled_function_while_another_is_traced():
    v = tf.Variable(2.0)
    double = tf.function(lambda x: x * v)
    assert double(tf.constant(1.0)).numpy() == 2.0

    @tf.function
    def f(x):
        v.assign(x)
        return x * v + in_thread(lambda: double(tf.constant(3.0)).numpy())

    assert f(tf.constant(4.0)).numpy() == 22.0


def test_a_traced_function_waits_for_a_thread_that_traces_another():
    v = tf.Variable(2.0)
    inner = tf.function(lambda x: x * v)

    def gradient_of_inner():
        with tf.GradientTape() as tape:
            y = inner(tf.constant(3.0))
        return tape.gradient(y, v).numpy()

    outer = tf.function(lambda x: x * v + in_thread(gradient_of_inner))
    with tf.GradientTape() as tape:
        y = outer(tf.constant(1.0))  # traced forward, and again with its backward pass
    assert y.numpy() == 5.0
    assert tape.gradient(y, v).numpy() == 1.0


def test_a_watched_constant_of_a_trace_is_a_plain_tensor_elsewhere():
    c = tf.constant([1.0, 2.0])
    seen = []

    def look():
        seen.append((c + 1.0).numpy().tolist())
        seen.append(c.numpy().tolist())

    @tf.function
    def f(x):
        in_thread(look)
        return tf.reduce_sum(c * x)

    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = f(tf.constant(2.0))
        assert tape.gradient(y, c).numpy().tolist() == [2.0, 2.0]
    assert all(each in ([2.0, 3.0], [1.0, 2.0]) for each in seen)
    assert type(c) is tf.Tensor


def test_a_variable_first_read_or_assigned_while_recording_is_stopped():
    v, w = tf.Variable(1.0), tf.Variable(1.0)

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            with tape.stop_recording():
                y = v * 2.0
                w.assign(x)
            z = x * y
        return tape.gradient(z, x)

    assert f(tf.constant(3.0)).numpy() == 2.0
    assert w.numpy() == 3.0
    v.assign(5.0)
    assert f(tf.constant(4.0)).numpy() == 10.0
    assert w.numpy() == 4.0


@pytest.mark.parametrize("same", [True, False], ids=["one function", "one each"])
def test_threads_trace_at_the_same_time(same):
    v = tf.Variable(2.0)
    one = tf.function(lambda x: tf.reduce_sum(x) * v)
    functions = [one if same else tf.function(lambda x: tf.reduce_sum(x) * v) for _ in range(THREADS)]
    found = {}

    def work(i):
        def call():
            for size in range(1, 5):
                with tf.GradientTape() as tape:
                    y = functions[i](tf.ones(size))
                found[i, size] = y.numpy(), tape.gradient(y, v).numpy()

        return call

    run_together(*map(work, range(THREADS)))
    assert found == {(i, size): (2.0 * size, size) for i in range(THREADS) for size in range(1, 5)}
    assert one.experimental_get_tracing_count() <= 4
    assert not private_values
    assert state.private is None


def test_a_function_that_creates_its_variable_is_called_by_several_threads():
    class Model:
        v = None

        @tf.function
        def __call__(self, x):
            if self.v is None:
                self.v = tf.Variable(x)
            return self.v.assign_add(1.0)

    model = Model()
    run_together(*[repeated(lambda: model(tf.constant(0.0)))] * THREADS)
    assert model.v.numpy() == THREADS * CALLS


# -- updates --


def test_compiled_calls_lose_no_update():
    v = tf.Variable(0.0)
    step = tf.function(lambda x: v.assign_add(x))
    eager = repeated(lambda: v.assign_add(1.0))
    run_together(*[repeated(lambda: step(tf.constant(1.0)))] * THREADS, eager)
    assert v.numpy() == (THREADS + 1) * CALLS


def test_compiled_calls_under_tapes_lose_no_update():
    v, w = tf.Variable(0.0), tf.Variable(3.0)

    @tf.function
    def step(x):
        v.assign_add(1.0)
        return x * w

    def call():
        with tf.GradientTape() as tape:
            y = step(tf.constant(2.0))
        assert tape.gradient(y, w).numpy() == 2.0

    run_together(*[repeated(call)] * THREADS)
    assert v.numpy() == THREADS * CALLS


def test_a_compiled_call_runs_as_if_alone():
    """Money moves between accounts in opposite directions: the sum stays, in every call that looks at both."""
    a, b = tf.Variable(100.0), tf.Variable(100.0)

    @tf.function
    def there(x):
        a.assign_sub(x)
        b.assign_add(x)

    @tf.function
    def back(x):
        b.assign_sub(x)
        a.assign_add(x)

    both = tf.function(lambda: a + b)

    def look():
        assert both().numpy() == 200.0

    run_together(
        repeated(lambda: there(tf.constant(2.0))),
        repeated(lambda: back(tf.constant(2.0))),
        repeated(look),
    )
    assert (a.numpy(), b.numpy()) == (100.0, 100.0)


def test_python_called_by_a_compiled_function_may_assign_its_variables():
    v = tf.Variable(0.0)

    def python(x):
        v.assign(7.0)
        return x

    @tf.function
    def f(x):
        y = tf.py_function(python, [x], tf.TensorSpec([], tf.float32))
        v.assign_add(1.0)
        return y

    found = in_thread(lambda: f(tf.constant(1.0)).numpy())
    assert found == 1.0
    assert np.isfinite(v.numpy())


def test_updates_on_other_threads_during_a_long_call_wait():
    v = tf.Variable(tf.zeros(20_000))
    started = threading.Event()

    @tf.function
    def slow(x):
        total = x
        for _ in range(5):
            total = tf.sin(total) + 1.0
        v.assign(v + total * 0.0 + 1.0)

    slow(tf.zeros(20_000))

    def calling():
        started.set()
        for _ in range(20):
            slow(tf.zeros(20_000))

    def adding():
        started.wait()
        for _ in range(20):
            v.assign_add(tf.ones(20_000))

    run_together(calling, adding)
    assert set(v.numpy().tolist()) == {41.0}


def test_random_programs_in_threads(monkeypatch):
    import pathlib

    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).parents[2] / "benchmarks"))
    import threads

    done = threads.main(seconds=1.0)
    ways = {"eager", "compiled", "both", "pure", "read", "second", "save", "replace", "traced"}
    assert set(done) == ways
