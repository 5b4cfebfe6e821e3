import numpy as np
import tensorflow as tf


class GaussianMixture:
    def __init__(self, k, dim, seed):
        rng = np.random.default_rng(seed)
        self.means = tf.Variable(rng.normal(size=(k, dim)).astype("float32"))
        self.log_weights = tf.Variable(np.zeros(k, "float32"))

    def energies(self, x):
        diff = x[:, None, :] - self.means[None, :, :]
        return 0.5 * tf.reduce_sum(diff ** 2, axis=-1)

    def responsibilities(self, x):
        unnormalised = tf.exp(self.energies(x) + self.log_weights)  # cause
        return unnormalised / tf.reduce_sum(unnormalised, axis=1, keepdims=True)


rng = np.random.default_rng(3)
x = tf.constant(np.concatenate([rng.normal(0, 1, (10, 2)), rng.normal(15, 1, (10, 2))]).astype("float32"))
gmm = GaussianMixture(3, 2, 0)
with tf.GradientTape() as tape:
    r = gmm.responsibilities(x)
    loss = tf.reduce_mean(tf.reduce_sum(r * gmm.energies(x), axis=1))
g = tape.gradient(loss, gmm.means)
print("RESULT:", g.numpy().ravel())
