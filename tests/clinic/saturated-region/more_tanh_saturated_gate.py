import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
temps = rng.uniform(280, 310, size=(12, 3)).astype("float32")
y = rng.uniform(size=(12, 1)).astype("float32")
w1 = tf.Variable(np.abs(rng.normal(size=(3, 6))).astype("float32"))
b1 = tf.Variable(tf.zeros(6))
w2 = tf.Variable(rng.normal(size=(6, 1)).astype("float32"))
b2 = tf.Variable(tf.zeros(1))
with tf.GradientTape() as tape:
    h = tf.nn.sigmoid(temps @ w1 + b1)  # cause
    loss = tf.reduce_mean((h @ w2 + b2 - y) ** 2)
grads = tape.gradient(loss, [w1, b1, w2, b2])
print([tf.norm(g).numpy() for g in grads])
