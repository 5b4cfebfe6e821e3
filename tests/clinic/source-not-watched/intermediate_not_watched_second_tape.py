import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
w = tf.Variable(rng.normal(0, 0.5, (2, 1)).astype("float32"))
inputs = tf.constant(rng.normal(size=(8, 2)).astype("float32"))


def energy(x):
    return tf.reduce_sum(tf.tanh(x @ w), axis=1)


class Sampler:
    def __init__(self, steps, size):
        self.steps, self.size = steps, size

    def gradient(self, x):
        with tf.GradientTape() as tape:
            e = energy(x)  # cause
        return tape.gradient(e, x)

    def run(self, x):
        for _ in range(self.steps):
            g = self.gradient(x)
            if g is None:
                return None
            x = x - self.size * g
        return x


print("RESULT:", Sampler(3, 0.1).run(inputs))
