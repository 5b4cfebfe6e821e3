import numpy as np
import tensorflow as tf

x = tf.Variable([3.0, -2.0])
lr, best, bad = 0.4, float("inf"), 0
for step in range(60):
    with tf.GradientTape() as tape:
        f = tf.reduce_sum(tf.abs(x)) + 0.1 * tf.reduce_sum(x ** 2)
    g = tape.gradient(f, x)
    current = f.numpy()
    if current < best - 1e-4:
        best, bad = current, 0
    else:
        bad += 1
        if bad == 2:
            lr, bad = lr * 0.5, 0
    x.assign_sub(lr * g)
print("RESULT:", best, lr)
