import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, states, actions):
        rng = np.random.default_rng(0)
        self.table = tf.Variable(rng.normal(size=(states, actions)).astype("float32"))

    def act(self, observation):
        logits = tf.matmul(observation, self.table)
        return tf.random.categorical(logits, 1)[:, 0]  # cause


rewards = tf.constant([0.0, 1.0, 0.5])
agent = Agent(4, 3)
observation = tf.eye(4)
with tf.GradientTape() as tape:
    chosen = agent.act(observation)
    payoff = tf.gather(rewards, chosen)
    loss = -tf.reduce_mean(payoff)
grads = tape.gradient(loss, agent.table)
print(grads)
