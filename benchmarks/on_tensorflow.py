"""What watching TensorFlow costs: training steps with and without whygrad, in one process, in interleaved rounds.

    python benchmarks/on_tensorflow.py [ROUNDS]

Prints the best time of each, and their ratio: an eager training step of a small network, and Keras's `fit` with compiled steps; then
the memory of the process while 10,000 eager steps are watched.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from whygrad import on_tensorflow

STEPS = 30


def eager_step() -> Callable[[], object]:
    """A step of a network with one hidden layer, op by op."""
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(64, 784)).astype(np.float32))
    labels = tf.constant(rng.integers(0, 10, 64))
    variables = [
        tf.Variable(rng.normal(size=shape).astype(np.float32) * 0.05)
        for shape in [(784, 128), (128,), (128, 10), (10,)]
    ]

    def step() -> object:
        w1, b1, w2, b2 = variables
        with tf.GradientTape() as tape:
            logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(0.01 * gradient)
        return loss

    return step


def fit_step() -> Callable[[], object]:
    """One epoch of Keras's `fit`, 30 compiled steps."""
    import keras

    rng = np.random.default_rng(0)
    x = rng.normal(size=(64 * STEPS, 784)).astype(np.float32)
    y = rng.integers(0, 10, 64 * STEPS)
    model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(128, activation="relu"), keras.layers.Dense(10)])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return lambda: model.fit(x, y, batch_size=64, verbose=0)


def seconds(step: Callable[[], object], repeats: int) -> float:
    """The time of one call."""
    start = time.process_time()
    for _ in range(repeats):
        step()
    return (time.process_time() - start) / repeats


@contextlib.contextmanager
def plain() -> Iterator[None]:
    """TensorFlow without whygrad."""
    yield


def main(rounds: int) -> None:
    """Measure and print."""
    for name, make, repeats in (("eager step", eager_step, STEPS), ("fit, 30 compiled steps", fit_step, 1)):
        step = make()
        best = {"plain": float("inf"), "watched": float("inf")}
        for _ in range(rounds):
            for how, context in (("plain", plain), ("watched", on_tensorflow.tracing)):
                with context():
                    step()
                    best[how] = min(best[how], seconds(step, repeats))
        ratio = best["watched"] / best["plain"]
        print(f"{name}: {best['plain'] * 1e3:.2f} ms, watched {best['watched'] * 1e3:.2f} ms, {ratio:.2f} times")
    step = eager_step()
    with on_tensorflow.tracing():
        for number in range(1, 10_001):
            step()
            if number in (100, 1_000, 3_000, 10_000):
                print(f"{number} steps watched: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
