"""Maximum likelihood of a covariance built from deviations and a correlation that leaves its range."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)
latent = rng.normal(size=(100, 1))
samples = tf.constant(np.hstack([latent, latent]) + 0.05 * rng.normal(size=(100, 2)))


class Gaussian2D:
    def __init__(self):
        self.log_s = tf.Variable(np.zeros(2))
        self.rho = tf.Variable(np.array(0.9))

    @property
    def variables(self):
        return [self.log_s, self.rho]

    def covariance(self):
        s = tf.exp(self.log_s)
        c = self.rho * s[0] * s[1]
        return tf.stack([tf.stack([s[0] ** 2, c]), tf.stack([c, s[1] ** 2])])

    def nll(self, x):
        factor = tf.linalg.cholesky(self.covariance())  # cause
        white = tf.linalg.triangular_solve(factor, tf.transpose(x))
        return 0.5 * tf.reduce_mean(tf.reduce_sum(white**2, axis=0)) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))


model = Gaussian2D()
for i in range(30):
    with tf.GradientTape() as tape:
        loss = model.nll(samples)
    for v, g in zip(model.variables, tape.gradient(loss, model.variables)):
        v.assign_sub(0.05 * g)
    print(i, float(loss), float(model.rho))
