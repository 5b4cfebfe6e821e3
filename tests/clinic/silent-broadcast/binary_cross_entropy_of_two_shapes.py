import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
x = rng.normal(size=(10, 3)).astype("float32")
labels = tf.cast(rng.integers(0, 2, size=10), tf.float32)
w = tf.Variable(tf.zeros([3, 1]))
with tf.GradientTape() as tape:
    p = tf.sigmoid(x @ w)
    losses = -(labels * tf.math.log(p) + (1.0 - labels) * tf.math.log(1.0 - p))  # cause
    loss = tf.reduce_mean(losses)
print(tape.gradient(loss, w).numpy())
