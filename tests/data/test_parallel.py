"""Threads: the same elements in the same order, bounded memory, and no thread without an iterator."""

import gc
import threading
import time

import numpy as np
import pytest

import whygrad as tf

Dataset = tf.data.Dataset


def _threads():
    return [each for each in threading.enumerate() if each.name.startswith("whygrad-")]


def _settled(count, seconds=5.0):
    """Whether the number of our threads becomes this."""
    end = time.monotonic() + seconds
    while len(_threads()) != count and time.monotonic() < end:
        time.sleep(0.005)
    return len(_threads()) == count


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    gc.collect()
    assert _settled(0)
    yield
    gc.collect()
    assert _settled(0)


def _slow(x):
    time.sleep(0.0005 * (int(x) % 3))
    return x * 2


PIPELINES = {
    "prefetch": lambda d: d.prefetch(2),
    "prefetch as needed": lambda d: d.prefetch(tf.data.AUTOTUNE),
    "map": lambda d: d.map(lambda x: tf.py_function(_slow, [x], tf.int64), num_parallel_calls=3),
    "map as needed": lambda d: d.map(lambda x: tf.py_function(_slow, [x], tf.int64), num_parallel_calls=tf.data.AUTOTUNE),
    "map twice": lambda d: d.map(lambda x: x + 1, num_parallel_calls=2).map(lambda x: x * x, num_parallel_calls=2).prefetch(1),
    "interleave": lambda d: d.interleave(lambda x: Dataset.range(x), cycle_length=3, num_parallel_calls=3).take(50),
}  # fmt: skip
PLAIN = {
    "prefetch": lambda d: d,
    "prefetch as needed": lambda d: d,
    "map": lambda d: d.map(lambda x: x * 2),
    "map as needed": lambda d: d.map(lambda x: x * 2),
    "map twice": lambda d: d.map(lambda x: (x + 1) * (x + 1)),
    "interleave": lambda d: d.interleave(lambda x: Dataset.range(x), cycle_length=3).take(50),
}


@pytest.mark.parametrize("name", ["prefetch", "map"])
def test_as_needed_threads_begin_where_elements_take_long(name, monkeypatch):
    now = [0.0]  # seconds; elements take as long as the test says
    monkeypatch.setattr("whygrad.data.parallel.time.perf_counter", lambda: now[0])

    def taking(seconds):
        def element(x):
            now[0] += seconds
            return x

        def called(x):
            return tf.py_function(element, [x], tf.int64)

        if name == "map":
            return iter(Dataset.range(100).map(called, num_parallel_calls=tf.data.AUTOTUNE))
        return iter(Dataset.range(100).map(called).prefetch(tf.data.AUTOTUNE))

    quick, slow = taking(1e-5), taking(1e-3)
    assert [int(next(quick)) for _ in range(20)] == list(range(20))
    assert not _threads()
    assert [int(next(slow)) for _ in range(20)] == list(range(20))
    assert _threads()


@pytest.mark.parametrize("name", PIPELINES)
def test_the_same_elements_in_the_same_order(name):
    expected = [int(x) for x in PLAIN[name](Dataset.range(60))]
    assert [int(x) for x in PIPELINES[name](Dataset.range(60))] == expected


@pytest.mark.parametrize("name", PIPELINES)
def test_threads_end_with_the_iterator(name):
    iterator = iter(PIPELINES[name](Dataset.range(1000).repeat()))
    for _ in range(5):
        next(iterator)
    del iterator  # and the fixture looks


def test_any_order():
    made = Dataset.range(60).map(
        lambda x: tf.py_function(_slow, [x], tf.int64), num_parallel_calls=3, deterministic=False
    )
    assert sorted(int(x) for x in made) == [2 * x for x in range(60)]


def test_little_is_computed_ahead():
    asked = []

    def numbers():
        for i in range(1000):
            asked.append(i)
            yield np.zeros(1000) + i

    made = Dataset.from_generator(numbers, output_signature=tf.TensorSpec((1000,), tf.float64)).prefetch(3)
    iterator = iter(made)
    next(iterator)
    time.sleep(0.1)
    assert len(asked) <= 1 + 3 + 1
    del iterator


def test_work_is_done_while_the_program_does_its_own():
    """Two sleeps at once take as long as one: the order of events shows it, not a clock."""
    events = []

    def make(x):
        events.append(f"begin {int(x)}")
        time.sleep(0.05)
        events.append(f"end {int(x)}")
        return x

    made = Dataset.range(4).map(lambda x: tf.py_function(make, [x], tf.int64), num_parallel_calls=4)
    assert [int(x) for x in made] == [0, 1, 2, 3]
    assert events.index("begin 1") < events.index("end 0")


@pytest.mark.parametrize("threads", [None, 2])
def test_an_error_comes_in_its_place_and_the_rest_after_it(threads):
    def check(x):
        return tf.debugging.check_numerics(1.0 / x, "reciprocal")

    made = Dataset.from_tensor_slices([1.0, 0.0, 4.0]).map(check, num_parallel_calls=threads)
    iterator = iter(made.prefetch(1) if threads else made)
    assert float(next(iterator)) == 1.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="reciprocal") as caught:
        next(iterator)
    assert any("Dataset.map called `check` on an element of float32 ()" in note for note in caught.value.__notes__)
    assert [frame.name for frame in caught.traceback].count("check") == 1
    assert float(next(iterator)) == 0.25
    del iterator, caught


def test_several_threads_share_an_iterator():
    iterator = iter(Dataset.range(300).map(lambda x: x + 1))
    found = []

    def take():
        for x in iterator:
            found.append(int(x))

    workers = [threading.Thread(target=take) for _ in range(4)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert sorted(found) == list(range(1, 301))


@pytest.mark.parametrize("rows", [1, 5, 12, 64])
@pytest.mark.parametrize("ordered", [True, False])
def test_batches_of_mapped_elements_are_whole(rows, ordered):
    made = Dataset.range(37).map(lambda x: x * 2, num_parallel_calls=3, deterministic=ordered).batch(rows)
    found = [each.numpy() for each in made]
    assert [len(each) for each in found] == [rows] * (37 // rows) + [37 % rows] * (37 % rows > 0)
    together = np.concatenate(found)
    np.testing.assert_array_equal(together if ordered else np.sort(together), np.arange(37) * 2)


def test_an_error_does_not_wait_for_the_rest_of_its_batch():
    goes_on = threading.Event()

    def elements():
        yield 0
        yield 1
        goes_on.wait(20)
        goes_on.set()  # nothing else did
        yield 2

    made = Dataset.from_generator(elements, output_signature=tf.TensorSpec((), tf.int64))
    made = made.map(
        lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x, tf.float32), "inverse"), num_parallel_calls=2
    )
    iterator = iter(made.batch(3))
    with pytest.raises(tf.errors.InvalidArgumentError, match="inverse") as caught:
        next(iterator)
    assert not goes_on.is_set()
    goes_on.set()
    del iterator, caught
