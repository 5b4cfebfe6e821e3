"""A policy gradient whose sampled action still carries the mean it is scored with."""

import tensorflow as tf


class Policy(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.random.normal((4, 2), stddev=0.3, seed=3))
        self.b = tf.Variable(tf.zeros(2))

    def mean(self, states):
        return tf.tanh(states @ self.w + self.b)

    def log_prob(self, states, actions):
        mean = self.mean(states)
        return -0.5 * tf.reduce_sum(tf.square((actions - mean) / 0.2), axis=-1)  # cause


policy = Policy()
states = tf.random.normal((12, 4), seed=5)
noise = tf.random.normal((12, 2), seed=6)
with tf.GradientTape() as tape:
    actions = policy.mean(states) + 0.2 * noise
    returns = tf.stop_gradient(-tf.reduce_sum(actions**2, axis=-1))
    loss = -tf.reduce_mean(policy.log_prob(states, actions) * returns)
grads = tape.gradient(loss, policy.trainable_variables)
print([float(tf.norm(g)) for g in grads])
