import numpy as np
import tensorflow as tf

raw = tf.constant([[1.0, np.nan], [2.0, 3.0]])
x = tf.where(tf.math.is_nan(raw), tf.zeros_like(raw), raw)
w = tf.Variable([[0.1], [0.2]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((x @ w - 1.0) ** 2)
print(tape.gradient(loss, w))
