"""Randomly generated graphs, sources and targets: gradients are None where TensorFlow's are, and equal elsewhere."""

import contextlib

import numpy as np
import pytest

import whygrad

pytestmark = pytest.mark.tensorflow

GROUPS, PROGRAMS = 12, 60  # so many tests, of so many programs each


class Program:
    """A program that a seed determines, whichever library runs it."""

    def __init__(self, tf, seed):
        self.tf = tf
        self.rng = np.random.default_rng(seed)
        self.dtype = ("float32", "float64", "complex64")[seed % 3]

    def chance(self, n):
        return int(self.rng.integers(n)) == 0

    def pick(self, values):
        return values[int(self.rng.integers(len(values)))]

    def constant(self, *shape):
        values = 0.7 * self.rng.normal(size=shape)
        if self.dtype == "complex64":
            values = values + 0.3j * self.rng.normal(size=shape)
        return self.tf.constant(values.astype(self.dtype))

    def grow(self, values, squares, variables):
        """One more value, computed from some that are there."""
        tf = self.tf
        a = self.pick(variables) if self.chance(6) else self.pick(values)
        b = self.pick(variables) if self.chance(5) else self.pick(values)
        steps = [
            lambda: a + b,
            lambda: a - b,
            lambda: a * b,
            lambda: a + a,
            lambda: a * a,
            lambda: 0.5 * a,
            lambda: tf.sin(a),
            lambda: -tf.cos(b),
            lambda: tf.tanh(a),
            lambda: tf.square(a) / 2.0,
            lambda: tf.identity(a),
            lambda: tf.stop_gradient(a) * b,
            lambda: tf.reduce_sum(a) * b,
            lambda: tf.matmul(self.pick(squares), self.pick(squares)),
            lambda: self.pick(squares)[int(self.rng.integers(3))] + b,
            lambda: tf.gather(self.pick(squares), [int(self.rng.integers(3)), 2, 1]) * a,
            lambda: tf.transpose(self.pick(squares)) + a,
        ]
        made = self.pick(steps)()
        values.append(made)
        if tuple(made.shape) == (3, 3):
            squares.append(made)
        return made

    def run(self):
        """Every gradient that the program asks for, as arrays or None."""
        tf, rng = self.tf, self.rng
        leaves = [self.constant(3, 3), self.constant(3, 3), self.constant(3), self.constant(1, 3)]
        variables = [tf.Variable(self.constant(3, 3)), tf.Variable(self.constant(3))]
        persistent, nested = self.chance(2), self.chance(3)
        outer = tf.GradientTape(persistent=True)
        with outer if nested else contextlib.nullcontext():
            if nested:
                outer.watch(leaves[0])
            with tf.GradientTape(persistent=persistent) as tape:
                for i in rng.permutation(4)[: rng.integers(1, 5)]:
                    tape.watch(leaves[i])
                values, squares, watched_late = list(leaves), leaves[:2], []
                for _ in range(int(rng.integers(3, 14))):
                    made = self.grow(values, squares, variables)
                    if self.chance(6):
                        tape.watch(made)
                        watched_late.append(made)
            targets = values[-1:] + watched_late[:1] + ([self.pick(values)] if self.chance(3) else [])
            sources = [leaves[i] for i in rng.permutation(4)[: rng.integers(1, 5)]]
            sources += [self.pick(variables), self.pick(values), *watched_late[-1:]]
            if self.chance(4):
                sources.append(sources[0])
            upstream = [self.constant(*target.shape) for target in targets] if self.chance(3) else None
            found = tape.gradient(targets, sources, upstream, "zero" if self.chance(4) else "none")
            again = [tape.gradient(targets[0], sources[0])] if persistent else []
        first = [tf.convert_to_tensor(each) for each in found if nested and each is not None][:1]
        second = [outer.gradient(each, variables[0]) for each in first]
        return [each if each is None else tf.convert_to_tensor(each).numpy() for each in (*found, *again, *second)]


@pytest.mark.parametrize("group", range(GROUPS))
def test_drawn_programs(real_tf, group):
    for seed in range(group * PROGRAMS, (group + 1) * PROGRAMS):
        expected, found = Program(real_tf, seed).run(), Program(whygrad, seed).run()
        assert [each is None for each in found] == [each is None for each in expected], f"seed {seed}"
        for mine, theirs in zip(found, expected):
            if theirs is not None:
                assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), f"seed {seed}"
                tolerance = 1e-8 if theirs.dtype == "float64" else 1e-3
                scale = max(1.0, np.abs(theirs).max())
                np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance * scale, err_msg=f"seed {seed}")
