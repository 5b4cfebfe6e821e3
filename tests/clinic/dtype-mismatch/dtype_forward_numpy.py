import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
features = tf.constant(rng.normal(size=(6, 2)))  # cause
w = tf.Variable([[0.1], [0.2]])
with tf.GradientTape() as tape:
    out = tf.matmul(features, w)  # cause
    loss = tf.reduce_mean(out)
print(tape.gradient(loss, w))
