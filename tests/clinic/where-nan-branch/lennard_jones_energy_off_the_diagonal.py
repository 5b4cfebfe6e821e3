import tensorflow as tf

pos = tf.Variable([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])

def lennard_jones(p):
    d = p[:, None] - p[None]
    r2 = tf.reduce_sum(d ** 2, -1)
    inv6 = 1.0 / r2 ** 3  # cause
    e = 4.0 * (inv6 ** 2 - inv6)
    return 0.5 * tf.reduce_sum(tf.where(tf.eye(3) > 0, 0.0, e))

with tf.GradientTape() as tape:
    e = lennard_jones(pos)
print(e, tape.gradient(e, pos))
