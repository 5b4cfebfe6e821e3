"""Gradient clipping inside the graph: the custom gradient returns the clipped ones of x, not of upstream."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)


@tf.custom_gradient
def soft_round(x):
    y = tf.round(x)

    def grad(upstream, slope=10.0):
        s = tf.sigmoid(slope * (x - tf.floor(x) - 0.5))
        return slope * s * (1.0 - s)  # cause

    return y, grad


class Quantised(tf.Module):
    def __init__(self):
        super().__init__()
        self.enc = tf.Variable(rng.normal(0, 0.5, (6, 4)).astype("float32"))
        self.dec = tf.Variable(rng.normal(0, 0.5, (4, 6)).astype("float32"))

    @tf.function
    def __call__(self, x):
        return soft_round(4.0 * tf.tanh(x @ self.enc)) @ self.dec


model = Quantised()
x = tf.constant(rng.normal(size=(16, 6)).astype("float32"))
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - x) ** 2)
    for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
        v.assign_sub(0.01 * g)
    print(step, float(loss))
