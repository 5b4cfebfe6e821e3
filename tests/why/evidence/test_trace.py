"""A trace stays small, whatever runs under it, and explains every gradient of a step."""

import gc
import threading
import time
import tracemalloc
import weakref

import numpy as np
import pytest

import whygrad as tf
from tests.support.threads import in_thread, run_together
from whygrad.values.recorders import ThreadState, observers
from whygrad.values.tensor import key_of
from whygrad.why.evidence import numerics, trace


def test_events_of_a_long_program_are_bounded(monkeypatch):
    import whygrad as tf
    from whygrad.why.evidence import trace as tracing_module

    monkeypatch.setattr(tracing_module, "_MOST_EVENTS", 50)
    with tracing_module.tracing() as trace:
        w = tf.Variable([1.0, 2.0])
        frozen = tf.Variable([1.0, 2.0], trainable=False)
        for _ in range(200):
            w.assign_add([0.5, 0.5])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * frozen)
        tape.gradient(loss, [w, frozen])
    assert len(trace.events) <= 60
    assert len(trace.values_of(w)) <= 60
    (cause,) = trace.findings
    assert (cause.kind, cause.sites[0].text) == ("recording-switched-off", "tf.Variable([1.0, 2.0], trainable=False)")


def _steps(count, w):
    for _ in range(count):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * 2.0 - 1.0) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))


def test_a_long_trace_drops_its_older_half(monkeypatch):
    monkeypatch.setattr(trace, "_MOST_RECORDS", 100)
    monkeypatch.setattr(trace, "_MOST_EVENTS", 60)
    with tf.tracing() as found:
        w = tf.Variable([1.0, 2.0])
        _steps(200, w)
        assert len(found.history().records) <= 100
        assert len(found.events) <= 60
        assert [found.order_of(event) for event in found.events] == list(range(len(found.events)))
        assert len(found._calls) <= 200
        assert len(found.values_of(w)) <= 61
        assert found.made_at(found.values_of(w)[0]) is not None  # where the variable was created
        assert found.counts["gradients"] == 200
        assert found.counts["ops"] == 200 * 5  # those that were forgotten too


def test_values_of_a_step_are_freed_when_the_next_begins():
    with tf.tracing() as found:
        w = tf.Variable(np.ones(1000, "float32"))
        _steps(1, w)
        with tf.GradientTape() as tape:
            y = w * 3.0
        kept = weakref.ref(y)
        tape.gradient(y, w)
        del y
        _steps(1, w)
        del tape
        gc.collect()
        assert kept() is None
        assert len(found.numerics._made) < 20


def test_kept_values_are_bounded_without_a_call_of_gradient(monkeypatch):
    monkeypatch.setattr(numerics, "_MOST_BYTES", 100_000)
    with tf.tracing() as found:
        x = tf.ones(1000)
        for _ in range(100):
            x = x * 1.01
        found.numerics.look()
        assert sum(array.nbytes for _, _, _, array in found.numerics._made.values()) <= 100_000


def test_both_tapes_of_a_step_know_its_values():
    with tf.tracing() as found:
        a, b = tf.Variable(1.0), tf.Variable(0.0)
        with tf.GradientTape() as first, tf.GradientTape() as second:
            good, bad = a * 2.0, tf.sqrt(b)
        first.gradient(good, a)
        second.gradient(bad, b)
    assert [cause.kind for cause in found.findings] == ["infinite-slope"]


def test_a_sparse_gradient_is_checked_by_its_rows():
    with tf.tracing() as found:
        table = tf.Variable(tf.ones((1000, 2)))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(tf.gather(table, [1, 2]) - 1.0))
        tape.gradient(y, table)
    assert [cause.kind for cause in found.findings] == ["infinite-slope"]


def test_bfloat16_is_explained():
    with tf.tracing() as found:
        x = tf.Variable([0.0, 1.0], dtype=tf.bfloat16)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        tape.gradient(y, x)
    assert [cause.kind for cause in found.findings] == ["infinite-slope"]


def test_zeros_for_unconnected_sources_do_not_hide_the_others():
    with tf.tracing() as found:
        x, unused = tf.Variable([0.0, 1.0]), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        tape.gradient(y, [x, unused], unconnected_gradients="zero")
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.nn.relu(x - 5.0)) + 1.0
        tape.gradient(y, [unused, x], unconnected_gradients="zero")
        with tf.GradientTape() as tape:
            y = x * 2.0
        tape.gradient(y, [unused], unconnected_gradients="zero")
        tape = tf.GradientTape()
        with tape:
            y = x * 2.0
        tape.gradient(y, [], unconnected_gradients="zero")
    assert [cause.kind for cause in found.findings] == ["infinite-slope", "saturated-region"]
    assert (found.counts["tapes"], found.counts["gradients"]) == (4, 4)


def _allocated():
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def _growth(monkeypatch, turn, turns):
    """How much the memory grows from the first third of a loop's turns to its end, with small limits."""
    monkeypatch.setattr(numerics, "_MOST_BYTES", 1 << 20)
    monkeypatch.setattr(trace, "_MOST_RECORDS", 300)
    monkeypatch.setattr(trace, "_MOST_EVENTS", 300)
    monkeypatch.setattr(trace, "_MOST_ATTRIBUTE_BYTES", 1 << 20)
    monkeypatch.setattr(trace, "_MOST_VARIABLE_BYTES", 1 << 20)
    monkeypatch.setattr(trace, "_MOST_TAPES", 20)
    gc.collect()
    gc.freeze()  # what other tests left is not looked through each time
    tracemalloc.start()
    try:
        with tf.tracing():
            begun = _allocated()
            sizes = []
            for number in range(turns):
                turn()
                if number % (turns // 30) == 0:
                    sizes.append(_allocated() - begun)
            return max(sizes[10:]) - max(sizes[:10]), max(sizes)
    finally:
        tracemalloc.stop()
        gc.unfreeze()


W = np.ones(20_000, "float32")


def _batch():
    """The input is large, the result small."""
    return tf.reduce_mean(tf.constant(W.copy()) * 2.0)


def _scalars():
    x = tf.constant(1.0)
    for _ in range(10):
        x = x * 1.5 + 1.0


def _tape_that_is_never_asked():
    with tf.GradientTape() as tape:
        x = tf.constant(W.copy())
        tape.watch(x)
        tf.reduce_sum(tf.exp(x))


def _variable():
    tf.Variable(W.copy()).assign_add(W)


def _index():
    """An attribute of the op holds the index."""
    tf.constant(W)[np.arange(20_000) % 2 == 0]


def _gradient():
    v = tf.Variable(W.copy())
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(v * v)
    tape.gradient(loss, v)


@pytest.mark.parametrize("turn", [_batch, _scalars, _tape_that_is_never_asked, _variable, _index, _gradient])
def test_memory_stays_flat_over_a_loop(turn, monkeypatch):
    growth, most = _growth(monkeypatch, turn, 600)
    assert growth < 300_000
    assert most < 4_000_000  # the limits, and what one turn makes


def test_explanations_of_the_latest_step_survive_a_long_loop(monkeypatch):
    monkeypatch.setattr(numerics, "_MOST_BYTES", 1 << 20)
    monkeypatch.setattr(trace, "_MOST_RECORDS", 300)
    monkeypatch.setattr(trace, "_MOST_EVENTS", 300)
    with tf.tracing() as found:
        w = tf.Variable([1.0, 0.0])
        for _ in range(500):
            _batch()
        scale = tf.constant([1.0, 2.0]) - tf.constant([0.0, 2.0])  # no tape is recording
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w / scale)
        tape.gradient(loss, w)
    (cause,) = found.findings
    assert cause.kind == "zero-divided-by-zero"
    assert [site.text for site in cause.sites] == ["w / scale", "tape.gradient(loss, w)"]


def test_the_calls_around_an_op_outside_tapes():
    def inner():
        return [tf.constant(1.0) * 2.0 for _ in range(2)]

    def outer():
        return inner() + inner()

    with tf.tracing() as found:
        values = [*outer(), *outer()]
        stacks = [found.stack_of(value._key) for value in values]
        assert {found.thread_of(value._key) for value in values} == {threading.get_ident()}
    lines = [
        [(code.co_name, positions(code, instruction)) for code, instruction in stack if code.co_filename == __file__]
        for stack in stacks
    ]
    names = [[name for name, _ in each] for each in lines]
    assert all(each[-3:] == ["inner", "outer", "test_the_calls_around_an_op_outside_tapes"] for each in names)
    assert lines[0] == lines[1] != lines[2] == lines[3]
    assert lines[0] != lines[4] != lines[2]


def positions(code, instruction):
    return list(code.co_positions())[instruction // 2]


def test_a_trace_that_has_ended_keeps_no_frame():
    class Mine:
        pass

    def program():
        local = Mine()
        tf.constant(1.0) * 2.0
        return weakref.ref(local)

    with tf.tracing() as found:
        local = program()
    gc.collect()
    assert local() is None
    assert found.counts["ops"] == 1


def test_forward_mode_in_a_thread_that_began_before_the_trace():
    began, traced, found = threading.Event(), threading.Event(), []

    def work():
        began.set()
        traced.wait()
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as forward:
            y = x * x
        found.append(forward.jvp(y).numpy())

    thread = threading.Thread(target=work)
    thread.start()
    began.wait()
    with tf.tracing():
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = w * w
        tape.gradient(loss, w)
        traced.set()
        thread.join()
    assert found == [6.0]


def test_traces_that_begin_and_end_in_several_threads_leave_nothing_behind():
    def work():
        for _ in range(200):
            with tf.tracing():
                pass

    run_together(*[work] * 4)
    assert ThreadState.recorders == ()
    assert observers == []


def test_a_thread_without_recorders_joins_a_trace_once():
    def count():
        with tf.tracing() as found:
            tf.constant(1.0) * 2.0
        return found.counts["ops"]

    assert in_thread(count) == 1


def test_values_that_are_looked_at_together_are_told_apart():
    """Scalars, transposed and complex ones, integers and several dtypes among many: only those that are not finite are."""
    with tf.tracing() as found:
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        fine = [x * 2.0, tf.transpose(x) + 1.0, tf.cast(x, tf.float64) * 1e200, tf.cast(x, tf.int32) + 1, x[0, 0] * 3.0]
        fine += [tf.complex(x, x) * 2.0, tf.cast(x, tf.float16) * 2.0, tf.zeros([0, 2]) * 1.0]
        bad = [tf.math.log(x - 1.0), tf.transpose(x) / 0.0, tf.cast(x, tf.float64) * 1e308 * 10.0]
        fine += [x + float(i) for i in range(100)]
        bad += [tf.cast(x, tf.float16) * 60_000.0, x[0, 0] / 0.0]
        births = found.numerics.births
    assert [key_of(each) in births for each in fine] == [False] * len(fine)
    assert [key_of(each) in births for each in bad] == [True] * len(bad)
    assert all(found.numerics.made(key_of(each)) is not None for each in bad)


def test_the_calls_around_an_operator_with_a_number_first():
    def inner(x):
        return 2.0 * x, 3.0 * x

    with tf.tracing() as found:
        values = [each for _ in range(2) for each in inner(tf.constant(1.0))]
        stacks = [found.stack_of(value._key) for value in values]
    here = [
        [(code.co_name, positions(code, at)) for code, at in stack if code.co_filename == __file__] for stack in stacks
    ]
    assert [each[0][0] for each in here] == ["inner"] * 4
    assert [each[0] for each in here] == [here[0][0], here[1][0]] * 2
    assert here[0][0] != here[1][0]
    assert here[0][1:] == here[1][1:] != []


def test_a_thread_that_waits_to_look_at_values_finds_them_seen(monkeypatch):
    failed = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    with tf.tracing() as whole:
        tf.constant([1.0]) * 2.0
        seen = whole.numerics
        waiting = threading.Thread(target=seen.look)
        with seen._looking:  # as another thread that looks at the same values
            waiting.start()
            time.sleep(0.05)  # it has asked whether there are values, and waits
            seen.pending.clear()
        waiting.join()
    assert not failed
