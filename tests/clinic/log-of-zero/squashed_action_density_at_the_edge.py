"""SAC: the density of an action squashed by tanh, where tanh is exactly 1."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(70)


class SquashedGaussian(tf.Module):
    def __init__(self):
        super().__init__()
        self.mean = tf.Variable(rng.normal(0, 0.5, (3, 2)).astype("float32"))
        self.log_std = tf.Variable(tf.zeros(2))

    def sample_and_log_prob(self, obs):
        mu = obs @ self.mean
        noise = tf.constant(rng.normal(size=mu.shape).astype("float32"))
        u = mu + tf.exp(self.log_std) * noise
        a = tf.tanh(u)
        logp = tf.reduce_sum(-0.5 * noise ** 2 - self.log_std - 0.919, axis=1)
        logp -= tf.reduce_sum(tf.math.log(1.0 - a ** 2), axis=1)  # cause
        return a, logp


actor = SquashedGaussian()
q = tf.constant(rng.normal(size=(2, 1)).astype("float32"))
obs = rng.normal(size=(6, 3)).astype("float32")
obs[2] *= 60.0
for _ in range(2):
    with tf.GradientTape() as tape:
        a, logp = actor.sample_and_log_prob(tf.constant(obs))
        loss = tf.reduce_mean(0.2 * logp - tf.squeeze(a @ q, 1))
    for v, g in zip(actor.trainable_variables, tape.gradient(loss, actor.trainable_variables)):
        v.assign_sub(0.01 * g)
    print(loss.numpy())
