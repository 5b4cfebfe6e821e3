"""Per-example Jacobian of a network with batch normalisation in training mode."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)


class BNNet(tf.Module):
    def __init__(self):
        super().__init__()
        self.w1 = tf.Variable(rng.normal(0, 0.5, (3, 10)).astype("float32"))
        self.w2 = tf.Variable(rng.normal(0, 0.5, (10, 2)).astype("float32"))
        self.gamma, self.beta = tf.Variable(tf.ones(10)), tf.Variable(tf.zeros(10))
        self.mean, self.var = tf.Variable(tf.zeros(10), trainable=False), tf.Variable(tf.ones(10), trainable=False)

    def __call__(self, x, training=True):
        h = x @ self.w1
        if training:
            mean, var = tf.nn.moments(h, 0)  # cause
            self.mean.assign(0.9 * self.mean + 0.1 * mean)
            self.var.assign(0.9 * self.var + 0.1 * var)
        else:
            mean, var = self.mean, self.var
        h = tf.nn.batch_normalization(h, mean, var, self.beta, self.gamma, 1e-3)
        return tf.tanh(h) @ self.w2


net = BNNet()
x = tf.constant(rng.normal(size=(6, 3)).astype("float32"))
with tf.GradientTape() as tape:
    tape.watch(x)
    y = net(x)
J = tape.batch_jacobian(y, x)
print(J.shape, float(tf.reduce_mean(tf.norm(J, axis=(1, 2)))))
