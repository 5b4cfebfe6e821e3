"""DARTS: the architecture is trained through one step of the weights, which is inside the outer tape."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(61)
x, vx = (tf.constant(rng.normal(size=(12, 4)).astype("float32")) for _ in range(2))
y, vy = tf.sin(x[:, :1]), tf.sin(vx[:, :1])
alpha = tf.Variable(tf.zeros(3))
w = {name: tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for name, s in [("in", (4, 6)), ("out", (6, 1))]}


def net(weights, x):
    mix = tf.nn.softmax(alpha)
    h = x @ weights["in"]
    h = mix[0] * tf.tanh(h) + mix[1] * tf.nn.relu(h) + mix[2] * h
    return h @ weights["out"]


def mse(weights, x, y):
    return tf.reduce_mean((net(weights, x) - y) ** 2)


for step in range(3):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            train = mse(w, x, y)
        g = inner.gradient(train, w)
        ahead = {name: w[name] - 0.1 * g[name] for name in w}
        valid = mse(ahead, vx, vy)
    alpha.assign_sub(0.5 * outer.gradient(valid, alpha))
    with tf.GradientTape() as tape:
        train = mse(w, x, y)
    for name, each in tape.gradient(train, w).items():
        w[name].assign_sub(0.1 * each)
    print(step, train.numpy(), valid.numpy())
