"""The weight of the KL term is annealed in an attribute that the compiled step read once."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
data = tf.constant(rng.normal(size=(32, 8)).astype("float32"))


class Trainer:
    def __init__(self):
        self.enc = tf.Variable(rng.normal(0, 0.2, (8, 4)).astype("float32"))
        self.dec = tf.Variable(rng.normal(0, 0.2, (2, 8)).astype("float32"))
        self.beta = 0.0

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            mean, logvar = tf.split(x @ self.enc, 2, axis=1)
            z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))
            rec = tf.reduce_mean(tf.reduce_sum((z @ self.dec - x) ** 2, axis=1))
            kl = 0.5 * tf.reduce_mean(tf.reduce_sum(mean ** 2 + tf.exp(logvar) - logvar - 1.0, axis=1))
            loss = rec + self.beta * kl  # cause
        variables = [self.enc, self.dec]
        for v, g in zip(variables, tape.gradient(loss, variables)):
            v.assign_sub(0.01 * g)
        return loss, kl


trainer = Trainer()
for epoch in range(5):
    trainer.beta = min(1.0, epoch / 4)
    loss, kl = trainer.step(data)
    print(epoch, trainer.beta, loss.numpy(), kl.numpy())
