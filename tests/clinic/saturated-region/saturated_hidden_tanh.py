import numpy as np
import tensorflow as tf

x = tf.constant([[500.0, 300.0], [400.0, 900.0]])
w1 = tf.Variable([[1.0, 2.0], [1.0, 0.5]])
w2 = tf.Variable([[0.5], [-0.5]])
with tf.GradientTape() as tape:
    hidden = tf.tanh(tf.matmul(x, w1))  # cause
    out = tf.matmul(hidden, w2)
    loss = tf.reduce_mean((out - 1.0) ** 2)
print([tf.norm(g).numpy() for g in tape.gradient(loss, [w1, w2])])
