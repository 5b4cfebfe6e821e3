import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)
w = tf.Variable([[0.5], [0.1]])
x = rng.normal(size=(5, 2)).astype("float32")
valid = tf.constant([True, True, False, True, False])
with tf.GradientTape() as tape:
    p = tf.matmul(x, w)
    kept = tf.where(valid, p, tf.zeros_like(p))  # cause
    loss = tf.reduce_mean(kept**2)
print(tape.gradient(loss, w).numpy())
