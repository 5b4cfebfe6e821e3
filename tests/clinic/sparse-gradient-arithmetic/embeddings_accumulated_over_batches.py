"""Gradients of an embedding are added up over several batches with +."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(83)
items = tf.Variable(rng.normal(0, 0.2, (15, 4)).astype("float32"))
users = tf.Variable(rng.normal(0, 0.2, (10, 4)).astype("float32"))
ratings = [(rng.integers(0, 10, 6), rng.integers(0, 15, 6), rng.normal(size=6).astype("float32")) for _ in range(4)]


def loss_of(u, i, r):
    score = tf.reduce_sum(tf.gather(users, u) * tf.gather(items, i), axis=1)
    return tf.reduce_mean((score - r) ** 2)


class Accumulator:
    def __init__(self, every):
        self.every, self.count, self.total = every, 0, None

    def add(self, grads):
        self.count += 1
        if self.total is None:
            self.total = grads
        else:
            self.total = [a + b for a, b in zip(self.total, grads)]  # cause
        return self.count % self.every == 0


accumulator = Accumulator(2)
for u, i, r in ratings:
    with tf.GradientTape() as tape:
        loss = loss_of(u, i, r)
    if accumulator.add(tape.gradient(loss, [users, items])):
        for v, g in zip([users, items], accumulator.total):
            v.assign_sub(0.1 * g / accumulator.every)
        accumulator.total = None
