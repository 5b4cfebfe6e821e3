import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
data = tf.constant(rng.random((8, 5)).astype("float32"))


class BetaVAE:
    def __init__(self):
        self.mu = tf.Variable(rng.normal(size=(5, 2)).astype("float32"))
        self.out = tf.Variable(rng.normal(size=(2, 5)).astype("float32"))
        self.beta = 0.0  # cause

    @tf.function
    def train(self, x):
        with tf.GradientTape() as tape:
            z = x @ self.mu
            reconstruction = tf.reduce_mean((tf.sigmoid(z @ self.out) - x) ** 2)
            kl = tf.reduce_mean(z ** 2)
            loss = reconstruction + self.beta * kl  # cause
        grads = tape.gradient(loss, [self.mu, self.out])
        for v, g in zip([self.mu, self.out], grads):
            v.assign_sub(0.1 * g)
        return loss


vae = BetaVAE()
for epoch in range(4):
    vae.beta = min(1.0, epoch / 3)  # cause
    loss = vae.train(data)
print("RESULT:", loss.numpy())
