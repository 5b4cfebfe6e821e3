"""In-place updates where nothing else can see the memory, and the same numbers without them."""

import sys

import numpy as np
import pytest

import whygrad as tf
from whygrad.runtime import reference_counts
from whygrad.runtime.switches import switches
from whygrad.values import variable

SIZE = 1 << 15  # float32: large enough to be updated in the delta's memory


@pytest.fixture(params=["counted", "fallback"])
def counts(request, monkeypatch):
    monkeypatch.setattr(variable, "other_threads", lambda: False)  # the runner of the tests may have some
    if request.param == "fallback":
        monkeypatch.setattr(variable, "ATTRIBUTE_ALONE", -1)
        monkeypatch.setattr(variable, "TEMPORARY_ARGUMENT", -1)
    return request.param


def test_updates_are_the_same_with_and_without_counts(counts):
    v = tf.Variable(np.zeros(SIZE, np.float32))
    before = v.read_value()
    step = tf.ones(SIZE)
    v.assign_add(step)
    v.assign_sub(step * 3.0)
    v[:2].assign([7.0, 8.0])
    v.scatter_nd_add([[0]], [1.0])
    assert v.numpy()[:3].tolist() == [8.0, 8.0, -2.0]
    assert before.numpy().sum() == 0
    assert step.numpy().sum() == SIZE


def test_only_counts_allow_the_same_memory(counts):
    v = tf.Variable(np.zeros(4, np.float32))
    v.assign_add([1.0, 1.0, 1.0, 1.0])  # the first value may be shared with what it was made from
    place = v._value._array.ctypes.data
    v.assign_add([1.0, 1.0, 1.0, 1.0])
    assert (v._value._array.ctypes.data == place) == (counts == "counted")


def test_counts_are_measured(monkeypatch):
    attribute, temporary = reference_counts.measure()
    assert attribute > 0
    assert temporary > 0 or sys.version_info >= (
        3,
        14,
    )  # there a call may pass a variable without a reference of its own
    monkeypatch.setattr(switches, "fast", False)
    assert reference_counts.measure() == (-1, -1)
    monkeypatch.undo()
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    assert reference_counts.measure() == (-1, -1)
    monkeypatch.undo()
    monkeypatch.delattr(sys, "getrefcount")
    assert reference_counts.measure() == (-1, -1)
