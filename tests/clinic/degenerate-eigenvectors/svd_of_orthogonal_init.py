import numpy as np
import tensorflow as tf

w = tf.Variable(np.eye(3, dtype="float32") * 2.0)
probe = tf.constant(np.arange(9, dtype="float32").reshape(3, 3))


def polar(m):
    s, u, v = tf.linalg.svd(m)  # cause
    return u @ tf.transpose(v), s


def penalty(m):
    rotation, stretch = polar(m)
    return tf.reduce_sum(rotation * probe) + tf.reduce_sum(stretch)


with tf.GradientTape() as tape:
    loss = penalty(w)
print("RESULT:", tape.gradient(loss, w).numpy())
