"""Reptile: inner steps change the weights, then they go back part of the way to a snapshot."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
weights = [tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for s in [(1, 12), (12,), (12, 1), (1,)]]


def net(x):
    return tf.tanh(x @ weights[0] + weights[1]) @ weights[2] + weights[3]


def sine():
    a, p = rng.uniform(0.5, 2), rng.uniform(0, np.pi)
    return lambda x: (a * np.sin(x + p)).astype("float32")


for meta in range(3):
    before = [w.numpy() for w in weights]
    f = sine()
    for inner in range(4):
        x = rng.uniform(-3, 3, (10, 1)).astype("float32")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((net(x) - f(x)) ** 2)
        for w, g in zip(weights, tape.gradient(loss, weights)):
            w.assign_sub(0.02 * g)
    after = [w.numpy() for w in weights]
    for w, b, a in zip(weights, before, after):
        w.assign(b + 0.3 * (a - b))
    print(meta, loss.numpy())
