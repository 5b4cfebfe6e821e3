import tensorflow as tf

masses = tf.constant([1.0, 2.0, 0.5])
pos = tf.Variable([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])


def energy(pos):
    d2 = tf.reduce_sum((pos[:, None] - pos[None]) ** 2, axis=-1)
    r = d2 ** 0.5  # cause
    pair = masses[:, None] * masses[None] * tf.exp(-r)
    return tf.reduce_sum(pair) / 2.0


with tf.GradientTape() as tape:
    u = energy(pos)
print("RESULT:", tape.gradient(u, pos).numpy())
