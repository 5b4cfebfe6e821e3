import numpy as np
import tensorflow as tf
d = tf.Variable([[0.0, 2.0], [2.0, 0.0]])
with tf.GradientTape() as tape:
    masked = tf.where(tf.eye(2) > 0, np.inf, d)
    nearest = tf.reduce_min(masked, axis=1)
    loss = tf.reduce_mean(nearest)
print(tape.gradient(loss, d))
