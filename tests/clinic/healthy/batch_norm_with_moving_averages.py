import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
x = rng.normal(2.0, 3.0, size=(16, 4)).astype("float32")
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
gamma, beta = tf.Variable(tf.ones(3)), tf.Variable(tf.zeros(3))
moving_mean = tf.Variable(tf.zeros(3), trainable=False)
moving_var = tf.Variable(tf.ones(3), trainable=False)
for step in range(3):
    with tf.GradientTape() as tape:
        h = x @ w
        mean, var = tf.nn.moments(h, axes=[0])
        moving_mean.assign(0.9 * moving_mean + 0.1 * mean)
        moving_var.assign(0.9 * moving_var + 0.1 * var)
        out = gamma * (h - mean) * tf.math.rsqrt(var + 1e-3) + beta
        loss = tf.reduce_mean((out - 1.0) ** 2)
    variables = [w, gamma, beta]
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.1 * g)
print(moving_mean.numpy())
