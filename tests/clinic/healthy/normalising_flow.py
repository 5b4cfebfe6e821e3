import numpy as np
import tensorflow as tf

x = np.random.default_rng(21).normal(size=(12, 2)).astype("float32")
s, t = tf.Variable([[0.1, 0.2]]), tf.Variable([[0.0, 0.0]])
with tf.GradientTape() as tape:
    z = x * tf.exp(s) + t
    log_p = -0.5 * tf.reduce_sum(z**2, axis=1) + tf.reduce_sum(s)
    loss = -tf.reduce_mean(log_p)
print([g.numpy() for g in tape.gradient(loss, [s, t])])
