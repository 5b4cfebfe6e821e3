"""A flow whose scales come out of tanh: the logarithm of the determinant is taken of negative ones."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(42)
data = tf.constant(rng.normal(size=(30, 4)).astype("float32"))


class Coupling(tf.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.scale = tf.Variable(rng.normal(0, 0.5, (2, 2)).astype("float32"))
        self.shift = tf.Variable(rng.normal(0, 0.5, (2, 2)).astype("float32"))

    def forward(self, x):
        a, b = tf.split(x, 2, axis=1)
        if self.flip:
            a, b = b, a
        s = tf.tanh(a @ self.scale)
        b = b * s + a @ self.shift
        log_det = tf.reduce_sum(tf.math.log(s), axis=1)  # cause
        return tf.concat([b, a] if self.flip else [a, b], 1), log_det


flow = [Coupling(i % 2 == 1) for i in range(2)]


def nll(x):
    total = tf.zeros(len(x))
    for layer in flow:
        x, log_det = layer.forward(x)
        total += log_det
    prior = -0.5 * tf.reduce_sum(x ** 2 + np.log(2 * np.pi).astype("float32"), axis=1)
    return -tf.reduce_mean(prior + total)


variables = [v for layer in flow for v in layer.trainable_variables]
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = nll(data)
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.01 * g)
    print(loss.numpy())
