"""REINFORCE with a saved log probability of each step, kept as a float."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)


class Policy:
    def __init__(self, n_obs, n_act):
        self.w1 = tf.Variable(rng.normal(0, 0.2, (n_obs, 16)).astype("float32"))
        self.b1 = tf.Variable(tf.zeros(16))
        self.w2 = tf.Variable(rng.normal(0, 0.2, (16, n_act)).astype("float32"))
        self.log_probs = []
        self.rewards = []

    @property
    def params(self):
        return [self.w1, self.b1, self.w2]

    def act(self, obs):
        h = tf.nn.tanh(obs[None] @ self.w1 + self.b1)
        probs = tf.nn.softmax(h @ self.w2)[0]
        action = rng.choice(2, p=probs.numpy().astype("float64") / probs.numpy().astype("float64").sum())
        self.log_probs.append(float(tf.math.log(probs[action])))  # cause
        return action


policy = Policy(4, 2)
with tf.GradientTape() as tape:
    state = np.zeros(4, "float32")
    for t in range(12):
        a = policy.act(tf.constant(state))
        state = state * 0.9 + rng.normal(0, 0.1, 4).astype("float32") + (0.1 if a else -0.1)
        policy.rewards.append(1.0 - abs(state[0]))
    returns = np.cumsum(policy.rewards[::-1])[::-1].copy()
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    loss = 0.0
    for lp, r in zip(policy.log_probs, returns):
        loss += -lp * r
    loss = tf.convert_to_tensor(loss)
grads = tape.gradient(loss, policy.params)
print(grads)
