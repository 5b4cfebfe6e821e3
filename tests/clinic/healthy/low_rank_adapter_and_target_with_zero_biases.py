"""A frozen base with a bias of zeros, adapted by a low rank; a target network of the same kind is never trained."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)


class Adapted:
    def __init__(self, n_in, n_out, rank=2):
        self.base = tf.Variable(rng.normal(size=(n_in, n_out)).astype("float32"))
        self.bias = tf.Variable(tf.zeros(n_out))
        self.down = tf.Variable(rng.normal(size=(n_in, rank)).astype("float32") * 0.1)
        self.up = tf.Variable(tf.zeros((rank, n_out)))

    def __call__(self, x):
        return x @ self.base + self.bias + (x @ self.down) @ self.up

    @property
    def adapters(self):
        return [self.down, self.up]


class Values:
    def __init__(self):
        self.w, self.b = tf.Variable(rng.normal(size=(3, 2)).astype("float32")), tf.Variable(tf.zeros(2))

    def __call__(self, s):
        return s @ self.w + self.b


x = rng.normal(size=(16, 3)).astype("float32")
adapted, online, target = Adapted(3, 2), Values(), Values()
for _ in range(5):
    with tf.GradientTape(persistent=True) as tape:
        fit = tf.reduce_mean((adapted(x) - 1.0) ** 2)
        td = tf.reduce_mean((online(x) - 0.9 * target(x) - 0.1) ** 2)
    for loss, variables in ((fit, adapted.adapters), (td, [online.w, online.b])):
        for v, g in zip(variables, tape.gradient(loss, variables)):
            v.assign_sub(0.05 * g)
    del tape
print(float(fit), float(td))
