"""Optimal transport by Sinkhorn: the kernel underflows to zero for far points."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)
a = tf.Variable(rng.normal(size=(6, 2)).astype("float32"))
b = tf.constant((rng.normal(size=(6, 2)) + 40.0).astype("float32"))


def sinkhorn(x, y, eps=0.5, rounds=10):
    cost = tf.reduce_sum((x[:, None] - y[None]) ** 2, axis=-1)
    kernel = tf.exp(-cost / eps)  # cause
    u = tf.ones(6) / 6.0
    v = tf.ones(6) / 6.0
    for _ in range(rounds):
        u = (1.0 / 6.0) / tf.linalg.matvec(kernel, v)  # cause
        v = (1.0 / 6.0) / tf.linalg.matvec(kernel, u, transpose_a=True)
    plan = u[:, None] * kernel * v[None]
    return tf.reduce_sum(plan * cost)


for step in range(3):
    with tf.GradientTape() as tape:
        distance = sinkhorn(a, b)
    slope = tape.gradient(distance, a)
    a.assign_sub(0.1 * slope)
    print(step, float(distance))
