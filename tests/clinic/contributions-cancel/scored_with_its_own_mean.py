"""Only the mean of a Gaussian gets no gradient: the sample that is scored moves with it."""

import tensorflow as tf

params = {"mu": tf.Variable([0.2, 0.1, -0.4]), "log_sigma": tf.Variable([-0.5, -0.5, -0.5])}


def sample(p, count):
    return p["mu"] + tf.exp(p["log_sigma"]) * tf.random.normal((count, 3), seed=7)


def log_prob(p, z):
    return tf.reduce_sum(-p["log_sigma"] - 0.5 * ((z - p["mu"]) / tf.exp(p["log_sigma"])) ** 2, axis=1)  # cause


with tf.GradientTape() as tape:
    z = sample(params, 20)
    reward = tf.stop_gradient(tf.reduce_sum(z, axis=1))
    loss = -tf.reduce_mean(reward * log_prob(params, z))
print(tape.gradient(loss, params))
