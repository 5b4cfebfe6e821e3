"""A VAE that never samples: the decoder reads the mean, and the KL term forgets the variance."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(87)
x = tf.constant(rng.normal(size=(12, 6)).astype("float32"))


class VAE(tf.Module):
    def __init__(self):
        super().__init__()
        self.mu = tf.Variable(rng.normal(0, 0.4, (6, 2)).astype("float32"), name="mu")
        self.logvar = tf.Variable(rng.normal(0, 0.1, (6, 2)).astype("float32"), name="logvar")
        self.dec = tf.Variable(rng.normal(0, 0.4, (2, 6)).astype("float32"), name="dec")

    def encode(self, x):
        return x @ self.mu, x @ self.logvar

    def loss(self, x):
        mean, logvar = self.encode(x)
        reconstruction = tf.reduce_mean((mean @ self.dec - x) ** 2)
        kl = 0.5 * tf.reduce_mean(tf.reduce_sum(mean ** 2, axis=1))
        return reconstruction + 0.1 * kl


vae = VAE()
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = vae.loss(x)  # cause
    for v, g in zip(vae.trainable_variables, tape.gradient(loss, vae.trainable_variables)):
        if g is None:
            print("no gradient for", v.name)
            continue
        v.assign_sub(0.1 * g)
