import numpy as np
import tensorflow as tf

table = tf.constant([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
mean = tf.reduce_mean(table, axis=0)
std = tf.math.reduce_std(table, axis=0)
features = (table - mean) / std  # cause
w = tf.Variable([[1.0], [1.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.matmul(features, w) ** 2)
print(tape.gradient(loss, w).numpy())
