"""REINFORCE that stores the logarithms of probabilities while it acts, before the tape is there."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
W = tf.Variable(rng.normal(0, 0.1, (3, 2)).astype("float32"))
b = tf.Variable(tf.zeros(2))


def policy(observation):
    return tf.nn.log_softmax(tf.reshape(observation, (1, 3)) @ W + b)[0]


class Corridor:
    def reset(self):
        self.position, self.t = 0.0, 0
        return self.look()

    def look(self):
        return tf.constant([self.position, self.t / 10.0, 1.0], tf.float32)

    def step(self, action):
        self.position += 0.1 if action == 1 else -0.1
        self.t += 1
        return self.look(), self.position, self.t >= 6


def play(env):
    logs, rewards = [], []
    seen, done = env.reset(), False
    while not done:
        logp = policy(seen)
        action = int(rng.random() < np.exp(logp.numpy())[1])
        logs.append(logp[action])
        seen, reward, done = env.step(action)
        rewards.append(reward)
    return logs, rewards


env = Corridor()
for episode in range(3):
    logs, rewards = play(env)  # cause
    returns = np.cumsum(rewards[::-1])[::-1].astype("float32")
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
    with tf.GradientTape() as tape:
        loss = -tf.reduce_sum(tf.stack(logs) * returns)
    gradients = tape.gradient(loss, [W, b])
    print(episode, loss.numpy(), gradients)
