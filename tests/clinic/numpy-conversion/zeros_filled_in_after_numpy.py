import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0])


def features(v):
    return np.tanh(v.numpy())  # cause


for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(features(w) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w, unconnected_gradients="zero"))
print(w.numpy())
