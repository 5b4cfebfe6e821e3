import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
raw = rng.normal(size=(12, 3)).astype("float32")
raw[:, 1] = 0.0
x = tf.constant(raw)
w = tf.Variable(tf.ones([3]))

with tf.GradientTape() as tape:
    h = x * w
    spread = tf.math.reduce_std(h, axis=0)  # cause
    loss = tf.reduce_sum((spread - 1.0) ** 2)
print("RESULT:", tape.gradient(loss, w).numpy())
