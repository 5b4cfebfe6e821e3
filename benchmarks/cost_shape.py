"""How cost grows: loops over elements, lookups in large tables, long tapes. Best of repeated rounds.

    python benchmarks/cost_shape.py

What to expect: a loop over 4 times as many elements, or a tape 50 times as long, costs about as many times more; a lookup costs
the same whatever the size of its table.
"""

import time
import tracemalloc
from collections.abc import Callable

import numpy as np

import whygrad as tf


def best(function: Callable[[], object], rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def loop_over_elements(n: int) -> None:
    x = tf.Variable(np.ones(n, np.float32))
    with tf.GradientTape() as tape:
        total = tf.constant(0.0)
        for i in range(n):
            total = total + x[i] * x[i]
    tape.gradient(total, x)


def lookup(table: tf.Variable, rows: np.ndarray) -> None:
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, rows) ** 2)
    tape.gradient(y, table)


def scalar_chain(n: int) -> None:
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(n):
            y = y + x
    tape.gradient(y, x)


def main() -> None:
    small, large = (best(lambda n=n: loop_over_elements(n)) for n in (1_000, 4_000))
    print(
        f"loop over n elements      n=1,000 {small * 1e3:8.1f} ms   n=4,000 {large * 1e3:8.1f} ms   {large / small:5.2f} times"
    )

    rows = np.arange(64)
    times = []
    for n in (1_000, 1_000_000):
        table = tf.Variable(np.ones((n, 16), np.float32))
        times.append(best(lambda table=table: lookup(table, rows), rounds=20))
    print(
        f"lookup of 64 rows      of 1,000 {times[0] * 1e6:8.0f} us   of 1,000,000 {times[1] * 1e6:6.0f} us   {times[1] / times[0]:5.2f} times"
    )

    small, large = best(lambda: scalar_chain(20_000)), best(lambda: scalar_chain(1_000_000), rounds=1)
    print(
        f"chain of n scalar ops    n=20,000 {small * 1e3:8.1f} ms   n=1,000,000 {large * 1e3:6.0f} ms   {large / small:5.2f} times"
    )

    tracemalloc.start()
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(20_000):
            y = y + x
    print(f"memory of a record        {tracemalloc.get_traced_memory()[0] / 20_000:8.0f} bytes")


if __name__ == "__main__":
    main()
