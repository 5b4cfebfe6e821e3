import numpy as np
import tensorflow as tf

t_grid = np.linspace(0, 2, 21).astype("float32")
observed = tf.constant(np.exp(-1.3 * t_grid).astype("float32"))
k = tf.Variable(0.8)


def solve(k):
    y, out = tf.constant(1.0), []
    for _ in t_grid:
        out.append(y)
        y = y - 0.1 * float(k) * y  # cause
    return tf.stack(out)


with tf.GradientTape() as tape:
    loss = tf.reduce_mean((solve(k) - observed) ** 2)
print("RESULT:", tape.gradient(loss, k))
