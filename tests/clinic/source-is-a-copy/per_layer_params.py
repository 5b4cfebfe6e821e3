import numpy as np
import tensorflow as tf

rng = np.random.default_rng(51)
theta = tf.Variable(rng.normal(size=11).astype("float32"))


def unpack(vector):
    w = tf.reshape(vector[:6], (3, 2))
    b = vector[6:8]
    v = tf.reshape(vector[8:10], (2, 1))
    return w, b, v, vector[10]


def model(x, vector):
    w, b, v, c = unpack(vector)
    return tf.tanh(x @ w + b) @ v + c


x = tf.constant(rng.normal(size=(9, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(9, 1)).astype("float32"))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x, theta) - y) ** 2)
parts = unpack(theta)  # cause
grads = tape.gradient(loss, list(parts))  # cause
print("RESULT:", grads)
