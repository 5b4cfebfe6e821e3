import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
table = rng.normal(size=(12, 3)).astype("float32")
table[9, 1] = np.nan
target = rng.normal(size=(12,)).astype("float32")
w = tf.Variable([0.1, 0.1, 0.1])
for start in range(0, 12, 4):
    xb = tf.constant(table[start : start + 4])
    yb = tf.constant(target[start : start + 4])
    with tf.GradientTape() as tape:
        p = tf.linalg.matvec(xb, w)  # cause
        loss = tf.reduce_mean((p - yb) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
