import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
w = tf.Variable([[0.5], [0.1]])
xs, xq = (rng.normal(size=(5, 2)).astype("float32") for _ in range(2))
ys, yq = xs[:, :1] * 2.0, xq[:, :1] * 2.0
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        support = tf.reduce_mean((xs @ w - ys) ** 2)
    fast = w - 0.1 * inner.gradient(support, w)
    query = tf.reduce_mean((xq @ fast - yq) ** 2)
print(outer.gradient(query, w).numpy())
