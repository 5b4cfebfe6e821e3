import numpy as np
import tensorflow as tf


class VAE:
    def __init__(self):
        rng = np.random.default_rng(0)
        self.enc = tf.Variable(rng.normal(size=(6, 4)).astype("float32"))
        self.dec = tf.Variable(rng.normal(size=(2, 6)).astype("float32"))

    def encode(self, x):
        h = tf.matmul(x, self.enc)
        return h[:, :2], h[:, 2:]

    def sample(self, mean, log_var):
        eps = np.random.default_rng(1).normal(size=mean.shape)
        return (mean.numpy() + np.exp(0.5 * log_var.numpy()) * eps).astype("float32")  # cause

    def loss(self, x):
        mean, log_var = self.encode(x)
        z = self.sample(mean, log_var)
        rebuilt = tf.sigmoid(tf.matmul(z, self.dec))
        return tf.reduce_mean((rebuilt - x) ** 2)


vae = VAE()
x = np.random.default_rng(2).random((5, 6)).astype("float32")
with tf.GradientTape() as tape:
    loss = vae.loss(x)
print(tape.gradient(loss, [vae.enc, vae.dec]))
