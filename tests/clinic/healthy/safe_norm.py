import numpy as np
import tensorflow as tf


def safe_norm(v):
    length = tf.norm(v, axis=-1)
    return tf.where(length > 0.0, length, tf.zeros_like(length))


class Springs:
    def __init__(self, n, rng):
        self.x = tf.Variable(rng.normal(size=(n, 2)).astype("float32"))
        self.rest = 1.0

    def energy(self):
        d = self.x[:, None, :] - self.x[None, :, :]
        r = safe_norm(d)
        stretched = tf.where(r > 0.0, (r - self.rest) ** 2, 0.0)
        return 0.25 * tf.reduce_sum(stretched)


springs = Springs(4, np.random.default_rng(1))
for step in range(2):
    with tf.GradientTape() as tape:
        e = springs.energy()
    force = tape.gradient(e, springs.x)
print("RESULT:", force.numpy())
