"""Hyperparameters of a Gaussian process; some inputs were measured twice."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
x = np.concatenate([np.linspace(0, 4, 12), np.linspace(0, 4, 12)[:5]])
y = np.sin(x) + 0.01 * rng.normal(size=x.shape)
x_t, y_t = tf.constant(x[:, None]), tf.constant(y[:, None])


class Kernel:
    def __init__(self):
        self.log_length = tf.Variable(0.0, dtype=tf.float64)
        self.log_scale = tf.Variable(0.0, dtype=tf.float64)

    @property
    def parameters(self):
        return [self.log_length, self.log_scale]

    def __call__(self, a, b):
        distance = tf.square((a - tf.transpose(b)) / tf.exp(self.log_length))
        return tf.exp(self.log_scale) * tf.exp(-0.5 * distance)


def log_likelihood(kernel):
    k = kernel(x_t, x_t)
    alpha = tf.linalg.inv(k) @ y_t  # cause
    fit = -0.5 * tf.reduce_sum(y_t * alpha)
    return fit - 0.5 * tf.linalg.logdet(k + 1e-6 * tf.eye(len(x), dtype=tf.float64))


kernel = Kernel()
for i in range(4):
    with tf.GradientTape() as tape:
        loss = -log_likelihood(kernel)
    grads = tape.gradient(loss, kernel.parameters)
    print(i, float(loss), [float(g) for g in grads])
    for p, g in zip(kernel.parameters, grads):
        p.assign_sub(1e-3 * tf.clip_by_value(g, -1.0, 1.0))
