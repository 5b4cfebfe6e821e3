"""The policy gives a column of means, the buffer holds a flat list of actions."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)


class GaussianPolicy(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(rng.normal(0, 0.3, (3, 1)).astype("float32"))
        self.log_std = tf.Variable([-0.5])

    def mean(self, states):
        return states @ self.w

    def log_prob(self, states, actions):
        z = (actions - self.mean(states)) * tf.exp(-self.log_std)  # cause
        return -0.5 * z ** 2 - self.log_std - 0.5 * np.log(2 * np.pi).astype("float32")


class Buffer:
    def __init__(self):
        self.states, self.actions, self.rewards = [], [], []

    def add(self, state, action, reward):
        self.states.append(state)
        self.actions.append(action)
        self.rewards.append(reward)

    def tensors(self):
        return [tf.constant(np.array(a, "float32")) for a in (self.states, self.actions, self.rewards)]


policy, buffer = GaussianPolicy(), Buffer()
for _ in range(12):
    state = rng.normal(size=3)
    action = float(policy.mean(tf.constant([state], tf.float32))[0, 0]) + 0.6 * rng.normal()
    buffer.add(state, action, -((action - state[0]) ** 2))
states, actions, rewards = buffer.tensors()
advantages = rewards - tf.reduce_mean(rewards)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(policy.log_prob(states, actions) * advantages)
    for v, g in zip(policy.trainable_variables, tape.gradient(loss, policy.trainable_variables)):
        v.assign_sub(0.01 * g)
    print(loss.numpy())
