"""A Poisson loss on counts: the hour of the year enters the log rate without scaling."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(58)
hours = np.arange(0, 8760, 365).astype("float32")
x = tf.constant(np.stack([hours, np.sin(hours / 24 * 2 * np.pi), np.ones_like(hours)], 1).astype("float32"))
counts = tf.constant(rng.poisson(4.0, len(hours)).astype("float32"))


class PoissonModel:
    def __init__(self):
        self.beta = tf.Variable([0.02, 0.1, 0.0])

    def log_rate(self, x):
        return tf.linalg.matvec(x, self.beta)

    def nll(self, x, counts):
        eta = self.log_rate(x)
        return tf.reduce_mean(tf.exp(eta) - counts * eta)  # cause


model = PoissonModel()


@tf.function
def fit(rate):
    with tf.GradientTape() as tape:
        loss = model.nll(x, counts)
    model.beta.assign_sub(rate * tape.gradient(loss, model.beta))
    return loss


for _ in range(3):
    print(fit(tf.constant(1e-6)).numpy())
