import numpy as np
import tensorflow as tf

observed = tf.constant([0.5, 0.25, 0.25, 0.0])
raw = tf.Variable([1.0, 1.0, 1.0, 1.0])


def kl(p, q):
    ratio = p / q
    return tf.reduce_sum(p * tf.math.log(ratio))  # cause


with tf.GradientTape() as tape:
    q = raw / tf.reduce_sum(raw)
    loss = kl(q * observed, q)
print(tape.gradient(loss, raw).numpy())
