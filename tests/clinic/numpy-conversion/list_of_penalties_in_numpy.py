import numpy as np
import tensorflow as tf

layers = [tf.Variable([[0.4, -0.2], [0.3, 0.9]]), tf.Variable([[1.0], [-1.0]])]
x = tf.constant([[1.0, 2.0], [-0.5, 0.3]])
y = tf.constant([[0.5], [0.1]])
with tf.GradientTape() as tape:
    h = x
    penalties = []
    for layer in layers:
        h = tf.matmul(h, layer)
        penalties.append(np.abs(layer.numpy()).sum())  # cause
    loss = tf.reduce_mean((h - y) ** 2)
    loss += 0.01 * sum(penalties)
print([g.numpy() for g in tape.gradient(loss, layers)])
