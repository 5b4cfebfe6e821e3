import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
x = rng.normal(size=(20, 3)).astype("float32")
y = (x @ np.ones((3, 1))).astype("float32")
x[rng.random((20, 3)) < 0.1] = np.nan
y[[3, 7]] = np.nan
known = ~np.isnan(x)
x_filled = tf.where(known, x, 0.0)
y_known = ~np.isnan(y)
y_filled = np.nan_to_num(y)
w = tf.Variable(tf.zeros([3, 1]))
for _ in range(10):
    with tf.GradientTape() as tape:
        error = tf.where(y_known, x_filled @ w - y_filled, 0.0)
        loss = tf.reduce_sum(error ** 2) / y_known.sum()
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", w.numpy().ravel())
