import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
x = rng.uniform(size=(20, 3)).astype("float32")
y = rng.normal(size=(20, 1)).astype("float32")
w1 = tf.Variable(-np.abs(rng.normal(size=(3, 5))).astype("float32"))
b1 = tf.Variable(tf.zeros(5))
w2 = tf.Variable(rng.normal(size=(5, 1)).astype("float32"))
b2 = tf.Variable(tf.zeros(1))
variables = [w1, b1, w2, b2]
for step in range(10):
    with tf.GradientTape() as tape:
        h = tf.nn.relu(x @ w1 + b1)  # cause
        loss = tf.reduce_mean((h @ w2 + b2 - y) ** 2)
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.1 * g)
print(loss)
