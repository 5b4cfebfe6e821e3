import numpy as np
import tensorflow as tf

h = tf.constant([[1.0, 2.0], [2.0, 4.0]])
q = tf.Variable(0.3)


def gain(q):
    p = q * tf.eye(2)
    s = h @ p @ tf.transpose(h)
    return p @ tf.transpose(h) @ tf.linalg.inv(s)  # cause


with tf.GradientTape() as tape:
    k = tf.reduce_sum(gain(q))
print("RESULT:", tape.gradient(k, q))
