import numpy as np
import tensorflow as tf
e = tf.Variable(np.random.default_rng(0).normal(size=(4, 3)).astype("float32"))
start = tf.constant([0.0, -np.inf, -np.inf])
with tf.GradientTape() as tape:
    alpha = start + e[0]
    for i in range(1, 4):
        alpha = tf.reduce_logsumexp(alpha[:, None] + tf.zeros([3, 3]), axis=0) + e[i]
    loss = -tf.reduce_logsumexp(alpha)
print(tape.gradient(loss, e))
