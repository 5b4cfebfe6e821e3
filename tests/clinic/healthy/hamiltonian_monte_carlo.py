import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
precision = tf.constant([[2.0, 0.3], [0.3, 1.0]])


def log_prob(q):
    return -0.5 * tf.reduce_sum(q * tf.linalg.matvec(precision, q))


def force(q):
    with tf.GradientTape() as tape:
        tape.watch(q)
        value = log_prob(q)
    return tape.gradient(value, q)


q = tf.zeros(2)
accepted = 0
for _ in range(8):
    p = tf.constant(rng.normal(size=2).astype("float32"))
    new_q, new_p = q, p + 0.05 * force(q)
    for _ in range(5):
        new_q = new_q + 0.1 * new_p
        new_p = new_p + 0.1 * force(new_q)
    new_p = new_p - 0.05 * force(new_q)
    delta = float(log_prob(new_q) - 0.5 * tf.reduce_sum(new_p ** 2) - log_prob(q) + 0.5 * tf.reduce_sum(p ** 2))
    if np.log(rng.random()) < delta:
        q, accepted = new_q, accepted + 1
print("RESULT:", q.numpy(), accepted)
