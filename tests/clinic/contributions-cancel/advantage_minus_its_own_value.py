"""A critic is trained on returns that were computed from its own values, in the tape."""

import tensorflow as tf


class Critic:
    def __init__(self):
        self.w = tf.Variable([[0.5], [-0.4]])

    def __call__(self, states):
        return tf.squeeze(states @ self.w, -1)


critic = Critic()
states = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]])
rewards = tf.constant([1.0, 0.0, 0.5])
with tf.GradientTape(persistent=True) as tape:
    values = critic(states)
    returns = rewards + values
    critic_loss = tf.reduce_mean((returns - values) ** 2)  # cause
print(tape.gradient(critic_loss, critic.w).numpy())
