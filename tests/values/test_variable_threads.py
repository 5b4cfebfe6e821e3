"""Updates of one variable by several threads: none is lost, and no reader sees a half of one."""

import threading

import numpy as np
import pytest

import whygrad as tf
from tests.support.threads import run_together

THREADS, UPDATES = 4, 300


def repeated(update):
    def work():
        for _ in range(UPDATES):
            update()

    return work


ADDING_ONE = {
    "assign_add": lambda v: v.assign_add([1.0, 0.0]),
    "assign_sub": lambda v: v.assign_sub([-1.0, 0.0]),
    "assign_add of a tensor": lambda v: v.assign_add(tf.constant([1.0, 0.0])),
    "scatter_nd_add": lambda v: v.scatter_nd_add([[0]], [1.0]),
    "scatter_nd_sub": lambda v: v.scatter_nd_sub([[0]], [-1.0]),
    "scatter_add": lambda v: v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))),
    "scatter_sub": lambda v: v.scatter_sub(tf.IndexedSlices(tf.constant([-1.0]), tf.constant([0]))),
    "under a tape": lambda v: _under_a_tape(lambda: v.assign_add([1.0, 0.0])),
    "through the result of an update": lambda v: v.assign_add([2.0, 0.0]).assign_sub([1.0, 0.0]),
}


def _under_a_tape(update):
    with tf.GradientTape():
        update()


@pytest.mark.parametrize("update", ADDING_ONE.values(), ids=ADDING_ONE)
def test_no_update_is_lost(update):
    v = tf.Variable([0.0, 7.0])
    run_together(*[repeated(lambda: update(v))] * THREADS)
    assert v.numpy().tolist() == [THREADS * UPDATES, 7.0]


def test_writes_to_different_slices_are_all_kept():
    v = tf.Variable(tf.zeros(THREADS))

    def counting(place):
        def work():
            for number in range(1, UPDATES + 1):
                v[place].assign(float(number))

        return work

    run_together(*map(counting, range(THREADS)))
    assert v.numpy().tolist() == [UPDATES] * THREADS


def test_an_assignment_waits_for_an_update_in_progress(monkeypatch):
    """`assign` between the read and the write of an `assign_add` would be overwritten."""
    v = tf.Variable(1.0)
    reading, assigned = threading.Event(), threading.Event()
    unshared = tf.Variable._unshared

    def pausing(self):
        reading.set()
        assigned.wait(0.2)
        return unshared(self)

    monkeypatch.setattr(tf.Variable, "_unshared", pausing)

    def assigning():
        reading.wait()
        v.assign(10.0)
        assigned.set()

    run_together(lambda: v.assign_add(1.0), assigning)
    assert v.numpy() == 10.0


def test_each_number_is_counted_once():
    counter, taken = tf.Variable(0), []
    run_together(*[repeated(lambda: taken.append(int(counter.count_up_to(10**6))))] * THREADS)
    assert sorted(taken) == list(range(THREADS * UPDATES))


def test_readers_see_whole_values():
    v = tf.Variable(np.zeros(10_000, np.float32))
    done = threading.Event()

    def writing():
        for _ in range(UPDATES):
            v.assign_add(np.ones(10_000, np.float32))
        done.set()

    def reading():
        while not done.is_set():
            assert len(set(v.numpy().tolist())) == 1

    run_together(writing, reading, reading)
