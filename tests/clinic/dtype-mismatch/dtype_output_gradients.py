import numpy as np
import tensorflow as tf

u = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = u ** 2
weights = tf.constant(np.array([0.1, 0.2, 0.7]))  # cause
print(tape.gradient(y, u, weights))  # cause
