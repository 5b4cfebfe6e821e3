import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
anchor, positive, negative = (rng.normal(size=(8, 4)).astype("float32") for _ in range(3))
w = tf.Variable(rng.normal(size=(4, 2)).astype("float32"))
with tf.GradientTape() as tape:
    a, p, n = anchor @ w, positive @ w, negative @ w
    d_pos = tf.reduce_sum((a - p) ** 2, axis=1)
    d_neg = tf.reduce_sum((a - n) ** 2, axis=1)
    loss = tf.reduce_mean(tf.maximum(d_pos - d_neg + 0.2, 0.0))
print(tape.gradient(loss, w).numpy())
