import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
W1 = tf.Variable(rng.normal(size=(3, 6)).astype("float32"))
b1 = tf.Variable(tf.zeros(6))
W2 = tf.Variable(rng.normal(size=(6, 1)).astype("float32"))
b2 = tf.Variable(tf.zeros(1))
x = rng.normal(size=(30, 3)).astype("float32")
y = x[:, :1] ** 2 + 3.0
params = [W1, b1, W2]

for step in range(20):
    with tf.GradientTape() as tape:
        out = tf.tanh(x @ W1 + b1) @ W2 + b2
        loss = tf.reduce_mean((out - y) ** 2)
    for p, g in zip(params, tape.gradient(loss, params)):  # cause
        p.assign_sub(0.05 * g)
print(float(loss))
