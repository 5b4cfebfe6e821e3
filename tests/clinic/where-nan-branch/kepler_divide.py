import numpy as np
import tensorflow as tf


class Softened:
    def __init__(self):
        self.pos = tf.Variable([[0.0, 0.0], [1.0, 0.5], [-0.5, 1.0]])

    def pair_energy(self, r2):
        inverse = 1.0 / tf.sqrt(r2)  # cause
        return tf.where(r2 > 0.0, -inverse, tf.zeros_like(inverse))  # cause

    def total(self):
        d = self.pos[:, None] - self.pos[None]
        r2 = tf.reduce_sum(d ** 2, axis=-1)
        return 0.5 * tf.reduce_sum(self.pair_energy(r2))


system = Softened()
with tf.GradientTape() as tape:
    e = system.total()
print("RESULT:", tape.gradient(e, system.pos).numpy())
