"""What tracing a function costs."""

import os
import subprocess
import sys

import jax
import numpy as np
import pytest

import whygrad as tf


def test_tracing_asks_no_symbolic_array_for_its_value(monkeypatch):
    """JAX's error about that searches the whole trace, so that tracing would take time in proportion to the square of its length."""

    def refuse(self, *args):
        pytest.fail("a symbolic array was asked for its value")

    monkeypatch.setattr(jax.errors.TracerArrayConversionError, "__init__", refuse)
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = x * v
            for _ in range(5):
                y = tf.sin(y) + tf.gather(y, [0, 0])
            loss = tf.reduce_sum(y)
        gradient = tape.gradient(loss, v)
        v.assign_sub(0.1 * gradient)
        return gradient

    found = step(tf.constant([0.5, 0.25])).numpy()
    assert np.isfinite(found).all()
    assert found.any()


CACHED = """
import collections, pathlib, sys
import jax
import whygrad as tf

events = collections.Counter()
jax.monitoring.register_event_listener(lambda event, **_: events.update([event.rpartition("/")[2]]))


def compiled():
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sin(x * v))
        return tape.gradient(loss, v)

    return step(tf.constant([0.5, 0.25])).numpy().tolist()


first = compiled()
kept = set(pathlib.Path(sys.argv[1]).iterdir())
before = events["cache_hits"]
second = compiled()
assert kept, "nothing was kept"
assert set(pathlib.Path(sys.argv[1]).iterdir()) == kept
assert events["cache_hits"] > before, events
assert first == second
"""


def test_jax_keeps_compiled_functions_in_a_folder(tmp_path):
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "cpu",
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    }
    subprocess.run([sys.executable, "-c", CACHED, tmp_path], env=environment, check=True)
