"""What watching TensorFlow costs: training steps with and without whygrad, in one process, in interleaved rounds.

    python benchmarks/on_tensorflow.py [ROUNDS] [NAME ...]

Prints the best time of each program, in CPU time and by the clock, and the ratios: eager training steps (a small network, a convolutional one,
a recurrent loop of small ops), and Keras's `fit` with compiled steps. `memory` and `fit_memory` watch 10,000 steps, and print the
memory of the process on the way. Each side has a program of its own: a function that is traced while it is watched stays so.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from whygrad import on_tensorflow

STEPS = 30
MANY = 10_000
Step = Callable[[], object]


def _variables(rng: np.random.Generator, *shapes: tuple[int, ...]) -> list[tf.Variable]:
    return [tf.Variable(rng.normal(size=shape).astype(np.float32) * 0.05) for shape in shapes]


def _descend(tape: tf.GradientTape, loss: tf.Tensor, variables: list[tf.Variable]) -> None:
    for variable, gradient in zip(variables, tape.gradient(loss, variables)):
        variable.assign_sub(0.01 * gradient)


def eager(batch: int = 64, inputs: int = 784, hidden: int = 128) -> Step:
    """A step of a network with one hidden layer, op by op."""
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(batch, inputs)).astype(np.float32))
    labels = tf.constant(rng.integers(0, 10, batch))
    variables = _variables(rng, (inputs, hidden), (hidden,), (hidden, 10), (10,))

    def step() -> object:
        w1, b1, w2, b2 = variables
        with tf.GradientTape() as tape:
            logits = tf.nn.relu(x @ w1 + b1) @ w2 + b2
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        _descend(tape, loss, variables)
        return loss

    return step


def convolutional() -> Step:
    """A step of a network of two convolutions with pooling, op by op."""
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(32, 28, 28, 1)).astype(np.float32))
    labels = tf.constant(rng.integers(0, 10, 32))
    variables = _variables(rng, (3, 3, 1, 8), (8,), (3, 3, 8, 16), (16,), (784, 10), (10,))

    def step() -> object:
        k1, b1, k2, b2, w, b = variables
        with tf.GradientTape() as tape:
            h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, k1, 1, "SAME") + b1), 2, 2, "SAME")
            h = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(h, k2, 1, "SAME") + b2), 2, 2, "SAME")
            logits = tf.reshape(h, [32, -1]) @ w + b
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        _descend(tape, loss, variables)
        return loss

    return step


def recurrent() -> Step:
    """A step of a recurrent network that is a Python loop of small ops."""
    rng = np.random.default_rng(0)
    xs = [tf.constant(rng.normal(size=(16, 8)).astype(np.float32)) for _ in range(20)]
    y = tf.constant(rng.normal(size=(16, 1)).astype(np.float32))
    variables = _variables(rng, (8, 32), (32, 32), (32,), (32, 1))

    def step() -> object:
        wx, wh, b, wo = variables
        with tf.GradientTape() as tape:
            h = tf.zeros([16, 32])
            for x in xs:
                h = tf.tanh(x @ wx + h @ wh + b)
            loss = tf.reduce_mean(tf.square(h @ wo - y))
        _descend(tape, loss, variables)
        return loss

    return step


def fit(steps: int = STEPS, batch: int = 64, inputs: int = 784, hidden: int = 128) -> Step:
    """One epoch of Keras's `fit`, in compiled steps."""
    import keras

    rng = np.random.default_rng(0)
    x = rng.normal(size=(batch * steps, inputs)).astype(np.float32)
    y = rng.integers(0, 10, batch * steps)
    layers = [keras.Input((inputs,)), keras.layers.Dense(hidden, activation="relu"), keras.layers.Dense(10)]
    model = keras.Sequential(layers)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return lambda: model.fit(x, y, batch_size=batch, verbose=0)


PROGRAMS: dict[str, tuple[Callable[[], Step], int]] = {
    "eager": (eager, STEPS),
    "convolutional": (convolutional, 10),
    "recurrent": (recurrent, 10),
    "fit": (fit, 1),
}


def seconds(step: Step, repeats: int) -> np.ndarray:
    """The CPU time and the time by the clock of one call."""
    start = np.array([time.process_time(), time.perf_counter()])
    for _ in range(repeats):
        step()
    return (np.array([time.process_time(), time.perf_counter()]) - start) / repeats


@contextlib.contextmanager
def plain() -> Iterator[None]:
    """TensorFlow without whygrad."""
    yield


def compare(name: str, rounds: int) -> None:
    """Measure one program, and print what watching it costs."""
    make, repeats = PROGRAMS[name]
    ways = {"plain": plain, "watched": on_tensorflow.tracing}
    steps: dict[str, Step] = {}
    best = dict.fromkeys(ways, np.full(2, np.inf))
    for _ in range(rounds):
        for way, context in ways.items():
            with context():
                if way not in steps:
                    steps[way] = make()
                steps[way]()
                best[way] = np.minimum(best[way], seconds(steps[way], repeats))
    cpu, clock = best["watched"] / best["plain"]
    times = ", watched ".join(f"{best[way][0] * 1e3:.2f} ms" for way in ways)
    print(f"{name}: {times} of CPU, {cpu:.2f} times; {clock:.2f} times by the clock", flush=True)


def memory_now() -> float:
    """The memory that the process holds, in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def watch_memory(name: str) -> None:
    """Watch many small steps, and print the memory on the way."""
    a_call = 1 if name == "memory" else 100  # steps
    with on_tensorflow.tracing():
        step = eager(8, 16, 16) if name == "memory" else fit(a_call, 8, 16, 16)
        for number in range(a_call, MANY + 1, a_call):
            step()
            if number in (100, 1_000, 3_000, MANY):
                print(f"{name}: {number} steps watched, {memory_now():.0f} MB", flush=True)


def main(rounds: int, names: list[str]) -> None:
    """Measure and print."""
    for name in names or [*PROGRAMS, "memory", "fit_memory"]:
        if name in PROGRAMS:
            compare(name, rounds)
        else:
            watch_memory(name)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5, sys.argv[2:])
