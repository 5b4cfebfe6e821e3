import numpy as np
import tensorflow as tf
e = tf.Variable(np.random.default_rng(0).normal(size=(5, 3)).astype("float32"))
t = tf.Variable(np.random.default_rng(1).normal(size=(3, 3)).astype("float32"))
with tf.GradientTape() as tape:
    alpha = e[0]
    for i in range(1, 5):
        alpha = tf.reduce_logsumexp(alpha[:, None] + t, axis=0) + e[i]
    logz = tf.reduce_logsumexp(alpha)
    gold = e[0, 1] + e[1, 1] + e[2, 0] + e[3, 2] + e[4, 1] + t[1, 1] + t[1, 0] + t[0, 2] + t[2, 1]
    loss = logz - gold
print(tape.gradient(loss, [e, t]))
