import numpy as np
import tensorflow as tf

grid = tf.constant([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
p = tf.Variable([1.0, 0.0])
with tf.GradientTape() as tape:
    d = tf.math.reduce_euclidean_norm(grid - p, axis=1)  # cause
    loss = tf.reduce_mean(d)
print(tape.gradient(loss, p))
