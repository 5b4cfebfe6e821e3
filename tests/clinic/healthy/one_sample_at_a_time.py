import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
x = rng.normal(size=(30, 2)).astype("float32")
y = np.abs(x[:, :1])
w1, b1 = tf.Variable(rng.normal(size=(2, 3)).astype("float32")), tf.Variable(tf.zeros(3))
w2, b2 = tf.Variable(rng.normal(size=(3, 1)).astype("float32")), tf.Variable(tf.zeros(1))
variables = [w1, b1, w2, b2]
for xi, yi in zip(x, y):
    with tf.GradientTape() as tape:
        h = tf.nn.relu(xi[None, :] @ w1 + b1)
        loss = tf.reduce_mean((h @ w2 + b2 - yi) ** 2)
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.05 * g)
print(loss)
