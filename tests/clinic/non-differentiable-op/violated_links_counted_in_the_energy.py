"""A chain of beads with links of one length: the penalty counts the links that are stretched, and a count has no slope."""

import tensorflow as tf

tf.random.set_seed(2)
LINKS = tf.constant([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]])


class Chain(tf.Module):
    def __init__(self, beads):
        self.beads = tf.Variable(beads)

    def stretch(self):
        ends = tf.gather(self.beads, LINKS)
        return tf.norm(ends[:, 0] - ends[:, 1], axis=1) - 1.0

    def violations(self, tolerance=0.1):
        too_long = tf.abs(self.stretch()) > tolerance  # cause
        return tf.reduce_sum(tf.cast(too_long, tf.float32))

    def bending(self):
        p = self.beads
        return tf.reduce_sum((p[2:] - 2.0 * p[1:-1] + p[:-2]) ** 2)


chain = Chain(tf.random.normal((6, 2)))
history = []
for step in range(4):
    with tf.GradientTape() as tape:
        energy = chain.bending() + 10.0 * chain.violations()
    force = tape.gradient(energy, chain.beads)
    chain.beads.assign_sub(0.01 * force)
    history.append((float(energy), float(chain.violations())))
print(history[-1])
