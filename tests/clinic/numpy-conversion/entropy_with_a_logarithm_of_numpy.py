import numpy as np
import tensorflow as tf

logits = tf.Variable([0.2, 0.5, -0.1])


def surprise(p):
    return -np.log(p.numpy())  # cause


with tf.GradientTape() as tape:
    loss = tf.constant(surprise(tf.nn.softmax(logits)))
    loss = tf.reduce_sum(loss * tf.constant([1.0, 0.0, 0.0]))
print(tape.gradient(loss, logits))
