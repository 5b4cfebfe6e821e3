import numpy as np
import tensorflow as tf

income = np.array([20000.0, 90000.0])
y = tf.constant(income, dtype=tf.float16)  # cause
w = tf.Variable(tf.constant([1.0, 1.0], tf.float16))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.abs(w * 100.0 - y))
print(loss, tape.gradient(loss, w))
