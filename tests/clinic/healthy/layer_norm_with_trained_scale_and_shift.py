import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
W = tf.Variable(rng.normal(size=(4, 4)).astype("float32"))
gamma, beta = tf.Variable(tf.ones(4)), tf.Variable(tf.zeros(4))
x = rng.normal(size=(16, 4)).astype("float32")
for _ in range(4):
    with tf.GradientTape() as tape:
        h = x @ W
        mean, variance = tf.nn.moments(h, [1], keepdims=True)
        h = (h - mean) / tf.sqrt(variance + 1e-5) * gamma + beta
        loss = tf.reduce_mean((h - 1.0) ** 2)
    for v, g in zip([W, gamma, beta], tape.gradient(loss, [W, gamma, beta])):
        v.assign_sub(0.1 * g)
print(float(loss))
