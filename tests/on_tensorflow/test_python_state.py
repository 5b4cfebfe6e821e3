"""What a function's Python does to the objects around it is undone after a block."""

import collections
import random

import numpy as np
import pytest

from whygrad.on_tensorflow.python_state import iterators_in, restored

count = 0
history: list[int] = []


class Holder:
    def __init__(self):
        self.names = {"a": [1]}
        self.seen = {1}
        self.recent = collections.deque([1], maxlen=3)
        self.table = np.zeros(3)
        self.rng = np.random.default_rng(1)
        self.python_rng = random.Random(2)


def make(holder):
    calls = 0

    def change():
        nonlocal calls
        global count
        calls += 1
        count += 1
        history.append(count)
        holder.names["a"].append(2)
        holder.names["b"] = []
        holder.seen.add(2)
        holder.recent.append(2)
        holder.table[0] = 5.0
        holder.new = True
        return calls, holder.rng.normal(), holder.python_rng.random(), np.random.rand(), random.random()

    return change


def test_every_change_is_undone():
    holder = Holder()
    change = make(holder)
    with restored(change, ()):
        first = change()
    assert (count, history, holder.names, holder.seen, list(holder.recent)) == (0, [], {"a": [1]}, {1}, [1])
    assert not holder.table.any()
    assert not hasattr(holder, "new")
    assert change() == first  # the counts and the random numbers, too


def test_an_argument_is_restored_and_an_error_undoes_as_well():
    given = [1, {"x": 2}]

    def fails(each):
        each[1]["x"] = 3
        each.append(4)
        raise KeyError

    with pytest.raises(KeyError), restored(fails, (given,)):
        fails(given)
    assert given == [1, {"x": 2}]


def test_a_function_that_takes_from_an_iterator_is_known():
    batches = iter([1, 2])

    def takes():
        return next(batches)

    assert iterators_in(takes)
    assert not iterators_in(make(Holder()))
