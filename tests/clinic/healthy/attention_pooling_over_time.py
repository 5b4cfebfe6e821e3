import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)
h = tf.constant(rng.normal(size=(7, 4)).astype("float32"))
w = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
with tf.GradientTape() as tape:
    weights = tf.nn.softmax(tf.matmul(h, w), axis=0)
    pooled = tf.reduce_sum(weights * h, axis=0)
    loss = tf.reduce_mean(pooled ** 2)
print(tape.gradient(loss, w))
