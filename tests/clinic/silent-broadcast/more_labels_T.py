import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
X = rng.normal(size=(20, 2)).astype("float32")
Y = (X @ np.array([[2.0], [1.0]])).T.astype("float32")
w = tf.Variable(tf.zeros([2, 1]))
for step in range(10):
    with tf.GradientTape() as tape:
        residual = X @ w - Y  # cause
        loss = tf.reduce_sum(residual ** 2) / 20.0
    w.assign_sub(0.05 * tape.gradient(loss, w))
print(w)
