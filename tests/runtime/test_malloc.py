"""Memory that is let go is used again."""

import os
import subprocess
import sys

import pytest

from whygrad.runtime import malloc

PROGRAM = """
import resource
import numpy as np
import whygrad as tf

x = tf.constant(np.linspace(0, 1, 1_000_000, dtype=np.float32))
for _ in range(3):
    tf.exp(x) * x + x
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    tf.exp(x) * x + x
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def _pages_touched_anew(**environment):
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return int(run.stdout)


def test_a_step_that_is_repeated_needs_no_new_pages():
    assert _pages_touched_anew() < 1000  # each of the 30 arrays has a thousand


def test_what_the_environment_says_of_malloc_stands():
    assert _pages_touched_anew(MALLOC_TRIM_THRESHOLD_="131072", MALLOC_MMAP_THRESHOLD_="131072") > 10_000


@pytest.mark.parametrize(("variable", "value", "set_once"), [
    ("UNRELATED", "0", True),
    ("WHYGRAD_MALLOC", "0", False),
    ("MALLOC_TRIM_THRESHOLD_", "131072", False),
    ("GLIBC_TUNABLES", "glibc.malloc.arena_max=2", False),
])  # fmt: skip
def test_it_is_done_once_and_can_be_switched_off(monkeypatch, variable, value, set_once):
    given = []
    monkeypatch.setattr(malloc._Done, "done", False)
    monkeypatch.setattr(malloc, "_mallopt", lambda: lambda option, value: given.append(option))
    monkeypatch.setenv(variable, value)
    malloc.keep_freed_memory()
    malloc.keep_freed_memory()
    assert given == ([malloc._M_TRIM_THRESHOLD, malloc._M_MMAP_THRESHOLD] if set_once else [])


SMALL = """
import numpy as np
import whygrad as tf
from whygrad.runtime import malloc

v = tf.Variable(np.ones((10, 10)))
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.exp(v) @ v)
tape.gradient(y, v)
assert not malloc._Done.done
{}
assert malloc._Done.done
"""


@pytest.mark.parametrize("large", ["tf.Variable(tf.zeros((200, 200)))", "tf.exp(np.ones((200, 200)))"])
def test_malloc_is_left_alone_until_a_large_array_appears(large):
    subprocess.run([sys.executable, "-c", SMALL.format(large)], check=True)


def test_other_allocators_are_left_alone(monkeypatch):
    monkeypatch.setattr(malloc._Done, "done", False)
    monkeypatch.setattr(malloc, "_mallopt", lambda: None)
    malloc.keep_freed_memory()
    assert malloc._Done.done
    monkeypatch.undo()
    monkeypatch.setattr(os, "name", "nt")
    assert malloc._mallopt() is None
