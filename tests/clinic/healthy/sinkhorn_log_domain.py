import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
a = tf.Variable(rng.normal(size=(6, 2)).astype("float32"))
b = tf.constant(rng.normal(1.0, 1.0, size=(6, 2)).astype("float32"))


def sinkhorn(cost, eps=0.5, iterations=10):
    log_p = -cost / eps
    for _ in range(iterations):
        log_p = log_p - tf.reduce_logsumexp(log_p, axis=1, keepdims=True)
        log_p = log_p - tf.reduce_logsumexp(log_p, axis=0, keepdims=True)
    return tf.exp(log_p) / cost.shape[0]


for _ in range(5):
    with tf.GradientTape() as tape:
        cost = tf.reduce_sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
        loss = tf.reduce_sum(sinkhorn(cost) * cost)
    a.assign_sub(0.2 * tape.gradient(loss, a))
print("RESULT:", loss.numpy())
