"""Several threads update, trace, differentiate, save and restore the same variables, and the sums are checked.

    python benchmarks/threads.py [SECONDS] [SEED]

Every thread draws what it does next, and counts what it added to each variable. Functions are made anew all the time, so that some
thread is always tracing. At the end each variable must be the sum of what all threads added.
"""

import collections
import pathlib
import random
import sys
import tempfile
import threading
import time

import numpy as np

import whygrad as tf

THREADS, VARIABLES = 4, 3


class Trial:
    """The variables, and what the threads added to them."""

    def __init__(self, folder):
        self.variables = [tf.Variable(np.zeros(4)) for _ in range(VARIABLES)]
        self.added = [collections.Counter() for _ in range(THREADS)]
        self.done = collections.Counter()
        self.failures = []
        self.folder = folder
        self.functions = {}

    def eager(self, rng, number, at):
        v = self.variables[at]
        way = rng.randrange(4)
        if way == 0:
            v.assign_add(np.full(4, 1.0))
        elif way == 1:
            v.assign_sub(tf.constant(np.full(4, -1.0)))
        elif way == 2:
            v.scatter_nd_add([[0], [1], [2], [3]], np.full(4, 1.0))
        else:
            v.scatter_add(tf.IndexedSlices(tf.constant(np.full(4, 1.0)), tf.constant([0, 1, 2, 3])))
        self.added[number][at] += 1

    def compiled(self, rng, number, at):
        key = number, at, rng.randrange(2)
        if key not in self.functions or rng.random() < 0.02:  # trace again
            v, w = self.variables[at], self.variables[(at + 1) % VARIABLES]
            self.functions[key] = tf.function(lambda x: (v.assign_add(x), tf.reduce_sum(v * w))[1])
        if key[2]:
            with tf.GradientTape() as tape:
                y = self.functions[key](tf.constant(np.full(4, 1.0)))
            tape.gradient(y, self.variables[at])
        else:
            self.functions[key](tf.constant(np.full(4, 1.0)))
        self.added[number][at] += 1

    def read(self, rng, number, at):
        assert len(set(self.variables[at].numpy().tolist())) == 1
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(self.variables[at] * 2.0)
        assert tape.gradient(y, self.variables[at]).numpy().tolist() == [2.0] * 4

    def save(self, rng, number, at):
        path = tf.train.Checkpoint(v=self.variables[at]).write(str(self.folder / f"thread-{number}"))
        other = tf.Variable(np.zeros(4))
        tf.train.Checkpoint(v=other).read(path).assert_consumed()
        assert len(set(other.numpy().tolist())) == 1

    def work(self, number, seed, end):
        rng = random.Random(seed * THREADS + number)
        ways = [self.eager] * 6 + [self.compiled] * 6 + [self.read] * 3 + [self.save]
        try:
            while time.monotonic() < end and not self.failures:
                way = rng.choice(ways)
                way(rng, number, rng.randrange(VARIABLES))
                self.done[way.__name__] += 1
        except BaseException as error:
            self.failures.append(error)


def main(seconds=5.0, seed=0):
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(pathlib.Path(folder))
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=trial.work, args=(i, seed, end), daemon=True) for i in range(THREADS)]
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-4)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(seconds + 120)
                assert not thread.is_alive(), "a thread waits for ever"
        finally:
            sys.setswitchinterval(interval)
    if trial.failures:
        raise trial.failures[0]
    total = sum(trial.added, collections.Counter())
    for at, variable in enumerate(trial.variables):
        assert variable.numpy().tolist() == [float(total[at])] * 4, f"{total[at]} added, {variable.numpy()} found"
    return trial.done


if __name__ == "__main__":
    print(dict(main(*map(float, sys.argv[1:2]), *map(int, sys.argv[2:3]))))
