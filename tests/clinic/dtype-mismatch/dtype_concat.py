import numpy as np
import tensorflow as tf

a = tf.Variable([1.0, 2.0])
b = tf.constant(np.array([3.0]))  # cause
with tf.GradientTape() as tape:
    joined = tf.concat([a, b], axis=0)  # cause
    loss = tf.reduce_sum(joined ** 2)
print(tape.gradient(loss, a))
