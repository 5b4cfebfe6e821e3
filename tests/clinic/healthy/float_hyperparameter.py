import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
scale = float(tf.reduce_max(w))
mean = w.numpy().mean()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(((w - mean) / scale) ** 2)
print(tape.gradient(loss, w))
