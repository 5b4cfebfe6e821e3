"""Weights of -1, 0 and 1; their gradient function gives the window only."""
import numpy as np
import tensorflow as tf


@tf.custom_gradient
def ternary(w):
    limit = 0.7 * tf.reduce_mean(tf.abs(w))
    value = tf.where(tf.abs(w) > limit, tf.sign(w), tf.zeros_like(w))

    def grad(upstream):
        inside = tf.abs(w) <= 1.0
        return tf.cast(inside, w.dtype)  # cause

    return value, grad


class TernaryDense:
    def __init__(self, rows, columns, seed):
        values = np.random.default_rng(seed).normal(0, 0.5, (rows, columns))
        self.latent = tf.Variable(values.astype("float32"))
        self.scale = tf.Variable(1.0)

    def __call__(self, x):
        return self.scale * (x @ ternary(self.latent))


layers = [TernaryDense(6, 8, 0), TernaryDense(8, 1, 1)]
x = np.random.default_rng(2).normal(size=(20, 6)).astype("float32")
y = (x[:, :1] - x[:, 1:2] > 0).astype("float32")
variables = [v for layer in layers for v in (layer.latent, layer.scale)]
for step in range(3):
    with tf.GradientTape() as tape:
        h = x
        for i, layer in enumerate(layers):
            h = layer(h) if i else tf.nn.relu(layer(h))
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=h))
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.05 * g)
    print(loss.numpy())
