import numpy as np
import tensorflow as tf

features = tf.constant(np.random.default_rng(2).normal(size=(8, 2)).astype("float32"))
heights = tf.constant(np.arange(8, dtype="float32"))
w = tf.Variable([[1.0], [0.5]])


def mse(y_true, y_pred):
    return tf.reduce_mean(tf.math.squared_difference(y_true, y_pred))  # cause


with tf.GradientTape() as tape:
    loss = mse(heights, tf.matmul(features, w))
print(tape.gradient(loss, w).numpy())
