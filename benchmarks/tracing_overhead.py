"""The cost of explanations: a training step on small tensors, plain, remembering less, and under full tracing; and plain ops.

    python benchmarks/tracing_overhead.py

Expected: call sites and light records cost at most 15 % of a step; under `whygrad run` a step, and ops outside tapes, take at most 3
times as long.
"""

import contextlib
import statistics
import sys
import time
import timeit
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import whygrad as tf
from whygrad.tape import gradient_tape, recording_tape

ROUNDS, STEPS = 15, 60


def training_step() -> Callable[[], None]:
    """A network of two layers on 32 samples, with its updates."""
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(32, 8)).astype("float32"))
    y = tf.constant(rng.normal(size=(32, 1)).astype("float32"))
    w1, b1 = tf.Variable(rng.normal(size=(8, 16)).astype("float32") * 0.3), tf.Variable(tf.zeros(16))
    w2, b2 = tf.Variable(rng.normal(size=(16, 1)).astype("float32") * 0.3), tf.Variable(tf.zeros(1))
    variables = [w1, b1, w2, b2]

    def step() -> None:
        with tf.GradientTape() as tape:
            hidden = tf.tanh(tf.matmul(x, w1) + b1)
            loss = tf.reduce_mean((tf.matmul(hidden, w2) + b2 - y) ** 2)
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(0.01 * gradient)

    return step


def plain_ops() -> Callable[[], None]:
    """The same network applied to 32 samples without a tape, and what a program counts: small ops, and ops on scalars."""
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(32, 8)).astype("float32"))
    y = tf.constant(rng.normal(size=(32, 1)).astype("float32"))
    w1, b1 = tf.Variable(rng.normal(size=(8, 16)).astype("float32") * 0.3), tf.Variable(tf.zeros(16))
    w2, b2 = tf.Variable(rng.normal(size=(16, 1)).astype("float32") * 0.3), tf.Variable(tf.zeros(1))
    total = tf.constant(0.0)

    def step() -> None:
        nonlocal total
        hidden = tf.tanh(tf.matmul(x, w1) + b1)
        loss = tf.reduce_mean((tf.matmul(hidden, w2) + b2 - y) ** 2)
        total = total * 0.9 + loss

    return step


@contextlib.contextmanager
def nothing_remembered() -> Iterator[None]:
    """Tapes that do not remember where variables were read and gradients were requested."""
    place = (compile("", "<nowhere>", "exec"), 0)
    before = gradient_tape.users_site, recording_tape.users_site, gradient_tape.PastCall
    gradient_tape.users_site = recording_tape.users_site = lambda depth=1: place
    gradient_tape.PastCall = _Nothing
    try:
        yield
    finally:
        gradient_tape.users_site, recording_tape.users_site, gradient_tape.PastCall = before


class _Nothing:
    rest: tuple[Any, ...] = ()

    def __init__(self, *anything: Any) -> None:
        pass


def cost_of_places() -> float:
    """Return the seconds that one step spends on call sites, and on records of ops without a gradient.

    Both are part of the ops' own code and cannot be switched off, so they are counted and timed separately.
    """

    def without() -> Any:
        return None

    def with_place() -> Any:
        frame = sys._getframe(1)
        return frame.f_code, frame.f_lasti

    def with_light_record() -> None:
        records.append((None, (), None, None, None, None, 0))

    records: list[Any] = []
    base, place, light = (
        min(timeit.repeat(f, number=20_000, repeat=7)) / 20_000 for f in (without, with_place, with_light_record)
    )
    step = training_step()
    with tf.GradientTape() as tape:
        step()
    ops = len(tape.records)
    unfollowed = sum(record.kept is None for record in tape.records)
    return ops * (place - base) + unfollowed * (light - base)


def seconds_per_step(step: Callable[[], None]) -> float:
    start = time.perf_counter()
    for _ in range(STEPS):
        step()
    return (time.perf_counter() - start) / STEPS


def ratio_of_plain_ops() -> float:
    """How many times as long ops take outside tapes under tracing."""
    step = plain_ops()
    times: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(ROUNDS):
        for traced, found in times.items():
            with tf.tracing() if traced else contextlib.nullcontext():
                step()
                found.append(seconds_per_step(step))
    return min(times[True]) / min(times[False])


def main() -> int:
    step = training_step()
    modes: dict[str, Callable[[], contextlib.AbstractContextManager[Any]]] = {
        "remembering less": nothing_remembered,
        "as it is": contextlib.nullcontext,
        "under tracing": tf.tracing,
    }
    times: dict[str, list[float]] = {name: [] for name in modes}
    step()
    for _ in range(ROUNDS):  # alternate, so that a busy machine affects all of them
        for name, mode in modes.items():
            with mode():
                step()
                times[name].append(seconds_per_step(step))
    # The minimum has the least noise from other processes.
    bare, plain, traced = (min(found) for found in times.values())
    for name, seconds in zip(modes, (bare, plain, traced)):
        print(f"{name:28} {seconds * 1e6:8.0f} us per step   (median {statistics.median(times[name]) * 1e6:.0f})")
    places = cost_of_places()
    share = (plain - bare + places) / (bare - places)
    print(f"of which call sites and records kept only for explanations: {places * 1e6:.1f} us")
    print(f"cost of remembering for explanations: {share:+.1%} (at most +15 %)")
    print(f"full tracing: {traced / plain:.2f} times the plain step (at most 3)")
    outside = ratio_of_plain_ops()
    print(f"full tracing of ops outside tapes: {outside:.2f} times the plain ops (at most 3)")
    return 0 if share <= 0.15 and traced / plain <= 3.0 and outside <= 3.0 else 1


if __name__ == "__main__":
    sys.exit(main())
