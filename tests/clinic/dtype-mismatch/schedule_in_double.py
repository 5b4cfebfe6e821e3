import numpy as np
import tensorflow as tf

w = tf.Variable([[1.0], [2.0]])
x = tf.constant([[0.5, 1.0], [1.5, -1.0]])
y = tf.constant([[1.0], [0.0]])


def cosine_schedule(step, total):
    fraction = tf.constant(step / total, dtype=tf.float64)  # cause
    return 0.5 * (1.0 + tf.cos(np.pi * fraction))


for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    grad = tape.gradient(loss, w)
    rate = 0.1 * cosine_schedule(step, 3)
    w.assign_sub(rate * grad)  # cause
print("RESULT:", w.numpy())
