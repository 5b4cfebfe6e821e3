import numpy as np
import tensorflow as tf
x = tf.Variable(np.random.default_rng(0).normal(size=(5, 1)).astype("float32"))
for step in range(3):
    with tf.GradientTape() as tape:
        logp = -0.5 * tf.reduce_sum(x ** 2)
    score = tape.gradient(logp, x)
    with tf.GradientTape() as tape:
        d = x - tf.transpose(tf.stop_gradient(x))
        k = tf.exp(-d ** 2)
        total = tf.reduce_sum(k)
    repulsion = -tape.gradient(total, x)
    x.assign_add(0.1 * (tf.exp(-(x - tf.transpose(x)) ** 2) @ score + repulsion))
print(x.numpy().ravel())
