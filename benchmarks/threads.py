"""Several threads update, trace, differentiate, save and restore the same variables, and what they find is checked.

    python benchmarks/threads.py [SECONDS] [SEED] [REST]

Every thread draws what it does next, and counts what it added to each variable. Functions are shared by the threads and made anew
all the time, so that some thread is always tracing. At the end each variable must be the sum of what all threads added. What can be
checked meanwhile is: a variable has one value in all its elements, gradients are those of the values that the tape read, a compiled
call sees all its variables at one moment, and a restored checkpoint is of one save. REST is how many seconds a thread sleeps on
average between two actions: a long trial need not keep the machine busy.
"""

import collections
import gc
import pathlib
import random
import resource
import sys
import tempfile
import threading
import time

import numpy as np

import whygrad as tf

THREADS, VARIABLES = 4, 3
ONES = np.full(4, 1.0)


class Trial:
    """The variables, and what the threads added to them."""

    def __init__(self, folder):
        self.variables = [tf.Variable(np.zeros(4)) for _ in range(VARIABLES)]
        self.pair = tf.Variable(np.zeros(4)), tf.Variable(np.zeros(2))  # changed together, by compiled calls alone
        self.restored = tf.Variable(np.zeros(4))
        self.added = [collections.Counter() for _ in range(THREADS)]
        self.done = [collections.Counter() for _ in range(THREADS)]
        self.failures = []
        self.folder = folder
        self.functions = {}

    def function(self, rng, key, make):
        """A function that the threads share, made anew from time to time so that it is traced again."""
        found = self.functions.get(key)
        if found is None or rng.random() < 0.01:
            found = self.functions[key] = tf.function(make)
        return found

    def eager(self, rng, number, at):
        v = self.variables[at]
        way = rng.randrange(5)
        if way == 0:
            v.assign_add(ONES)
        elif way == 1:
            v.assign_sub(tf.constant(-ONES))
        elif way == 2:
            v.scatter_nd_add([[0], [1], [2], [3]], ONES)
        elif way == 3:
            v.scatter_add(tf.IndexedSlices(tf.constant(ONES), tf.constant([0, 1, 2, 3])))
        else:
            v.scatter_sub(tf.IndexedSlices(tf.constant(-ONES), tf.constant([3, 2, 1, 0])))
        self.added[number][at] += 1

    def compiled(self, rng, number, at):
        v, w = self.variables[at], self.variables[(at + 1) % VARIABLES]
        f = self.function(rng, ("add", at), lambda x: (v.assign_add(x + 0.0 * v), tf.reduce_sum(v * w))[1])
        x = tf.constant(ONES[: rng.choice((1, 4))])  # two signatures: another thread may be tracing the other one
        if rng.randrange(2):
            with tf.GradientTape() as tape:
                y = f(x)
            g = tape.gradient(y, w).numpy()  # the variable's value after the update
            assert len(set(g.tolist())) == 1
            assert g[0] == int(g[0])
        else:
            f(x)
        self.added[number][at] += 1

    def both(self, rng, number, at):
        p, q = self.pair
        if rng.randrange(2):
            self.function(rng, "both", lambda: (p.assign_add(tf.ones_like(p)), q.assign_add(tf.ones_like(q)))[0])()
            self.added[number]["pair"] += 1
        else:
            apart = self.function(rng, "apart", lambda: (p[0] - q[0], p[3] - q[1]))()
            assert [float(each) for each in apart] == [0.0, 0.0]

    def pure(self, rng, number, at):
        """A function of its arguments alone, called by all threads with other values."""
        f = self.function(rng, "pure", lambda x: tf.reduce_sum(tf.where(x > 0.0, x * x, 3.0 * x)))
        values = np.array([rng.randrange(-9, 10) for _ in range(rng.randrange(1, 4))], "float64")
        x = tf.constant(values)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert float(y) == np.where(values > 0.0, values**2, 3.0 * values).sum()
        assert tape.gradient(y, x).numpy().tolist() == np.where(values > 0.0, 2.0 * values, 3.0).tolist()

    def read(self, rng, number, at):
        v = self.variables[at]
        assert len(set(v.numpy().tolist())) == 1
        with tf.GradientTape(persistent=True) as tape:
            seen = v.read_value()
            y = tf.reduce_sum(seen * seen * 2.0)
            z = tf.reduce_sum(tf.gather(v, [1, 1, 2]))
        assert tape.gradient(y, v).numpy().tolist() == (4.0 * seen.numpy()).tolist()
        rows = tape.gradient(z, v)
        assert type(rows) is tf.IndexedSlices
        assert tf.convert_to_tensor(rows).numpy().tolist() == [0.0, 2.0, 1.0, 0.0]

    def second(self, rng, number, at):
        """A tape inside another, around a value of this thread and a variable of all."""
        value = float(rng.randrange(1, 100))
        x, v = tf.Variable(value), self.variables[at]

        @tf.custom_gradient
        def cube(a):
            return a * a * a, lambda g: g * 3.0 * a * a

        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = cube(x) + 0.0 * tf.cast(tf.reduce_sum(v), tf.float32)
            first = inner.gradient(y, x)
        assert float(first) == 3.0 * value**2
        assert float(outer.gradient(first, x)) == 6.0 * value
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as forward:
            y = x * x
        assert float(forward.jvp(y)) == 2.0 * value

    def save(self, rng, number, at):
        """Save a variable that others change, and restore it."""
        path = tf.train.Checkpoint(v=self.variables[at]).write(str(self.folder / f"thread-{number}"))
        other = tf.Variable(np.zeros(4))
        tf.train.Checkpoint(v=other).read(path).assert_consumed()
        assert len(set(other.numpy().tolist())) == 1

    def replace(self, rng, number, at):
        """Replace one file with a save of two equal variables, while others restore them from it."""
        value = float(rng.randrange(1 << 20))
        path = str(self.folder / "shared")
        tf.train.Checkpoint(v=tf.Variable(np.full(4, value)), w=tf.Variable(np.full(1000, value))).write(path)
        mine = tf.Variable(np.zeros(1000))
        tf.train.Checkpoint(v=self.restored, w=mine).read(path).assert_consumed()
        assert len(set(mine.numpy().tolist())) == 1
        assert len(set(self.restored.numpy().tolist())) == 1
        first, second = tf.Variable(np.zeros(4)), tf.Variable(np.zeros(1000))
        tf.train.Checkpoint(v=first, w=second).read(path).assert_consumed()
        assert set(first.numpy().tolist()) == set(second.numpy().tolist())

    def traced(self, rng, number, at):
        """A trace, which sees the ops of all threads: nothing is wrong in them, but for the functions that are made anew all the time."""
        with tf.tracing() as trace:
            for _ in range(5):
                self.read(rng, number, at)
                self.eager(rng, number, at)
        assert [each.sentence for each in trace.findings if each.kind != "function-retraced"] == []

    def work(self, number, seed, end, rest):
        rng = random.Random(seed * THREADS + number)
        ways = [self.eager] * 8 + [self.compiled] * 6 + [self.read] * 3 + [self.both] * 3 + [self.pure] * 2
        ways += [self.second] * 2 + [self.save, self.replace, self.traced]
        first = sorted(set(ways), key=lambda way: (rng.random(), way.__name__))  # each once, however short the trial is
        try:
            while (first or time.monotonic() < end) and not self.failures:
                way = first.pop() if first else rng.choice(ways)
                way(rng, number, rng.randrange(VARIABLES))
                self.done[number][way.__name__] += 1
                if rest:
                    time.sleep(rng.uniform(0.0, 2.0 * rest))
        except BaseException as error:
            self.failures.append(error)

    def check(self):
        """The sums of what all threads added."""
        total = sum(self.added, collections.Counter())
        for at, variable in enumerate(self.variables):
            assert variable.numpy().tolist() == [float(total[at])] * 4, f"{total[at]} added, {variable.numpy()} found"
        for variable in self.pair:
            assert set(variable.numpy().tolist()) == {float(total["pair"])}


def main(seconds=5.0, seed=0, rest=0.0):
    """Run the trial, and return how often each action was done."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(pathlib.Path(folder))
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=trial.work, args=(i, seed, end, rest), daemon=True) for i in range(THREADS)]
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
    trial.check()
    return sum(trial.done, collections.Counter())


if __name__ == "__main__":
    print(dict(main(*map(float, sys.argv[1:2]), *map(int, sys.argv[2:3]), *map(float, sys.argv[3:4]))))
    gc.collect()
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
