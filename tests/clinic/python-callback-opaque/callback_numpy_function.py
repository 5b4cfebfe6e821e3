import numpy as np
import tensorflow as tf

scale = tf.Variable([1.0, 2.0])


def interpolate(s):
    return np.interp(s, [0.0, 3.0], [0.0, 1.0]).astype("float32")


with tf.GradientTape() as tape:
    y = tf.numpy_function(interpolate, [scale], tf.float32)  # cause
    loss = tf.reduce_sum(y)
print(tape.gradient(loss, scale))
