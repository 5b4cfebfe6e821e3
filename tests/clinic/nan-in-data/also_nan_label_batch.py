import numpy as np
import tensorflow as tf
rng = np.random.default_rng(0)
x = rng.normal(size=(8, 2)).astype("float32")
y = rng.normal(size=(8,)).astype("float32"); y[5] = np.nan
w = tf.Variable([0.0, 0.0]); b = tf.Variable(0.0)
def step(xb, yb):
    with tf.GradientTape() as tape:
        err = tf.linalg.matvec(xb, w) + b - yb  # cause
        loss = tf.reduce_mean(err ** 2)
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * gw); b.assign_sub(0.1 * gb)
    return loss
for i in range(0, 8, 2):
    step(x[i:i+2], y[i:i+2])
print(w.numpy())
