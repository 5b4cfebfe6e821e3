import numpy as np
import tensorflow as tf

r = tf.Variable(np.array([0.0, 0.5, 3.0], dtype="float32"))
with tf.GradientTape() as tape:
    attraction = 1.0 / r ** 2  # cause
    near = tf.where(r < 1.0, r, attraction)
    potential = tf.where(r > 2.0, attraction, near)
    total = tf.reduce_sum(potential)
print(tape.gradient(total, r))
