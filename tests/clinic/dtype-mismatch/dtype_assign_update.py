import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
lr = tf.constant(np.float64(0.1))  # cause
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w ** 2)
g = tape.gradient(loss, w)
w.assign_sub(lr * g)  # cause
print(w)
