import numpy as np
import tensorflow as tf

raw = np.array([1.0, np.nan, 3.0, 4.0], dtype="float32")
x = tf.constant(raw)
x = (x - tf.reduce_mean(x)) / tf.math.reduce_std(x)  # cause
w = tf.Variable(1.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((w * x) ** 2)
print(tape.gradient(loss, w))
