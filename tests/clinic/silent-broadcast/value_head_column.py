import numpy as np
import tensorflow as tf

rng = np.random.default_rng(31)
w = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
states = rng.normal(size=(16, 4)).astype("float32")
rewards = rng.normal(size=16).astype("float32")


def discounted(rewards, gamma=0.9):
    out, total = np.zeros_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        total = rewards[t] + gamma * total
        out[t] = total
    return out


class Critic:
    def __init__(self, w):
        self.w = w

    def value(self, s):
        return tf.matmul(s, self.w)

    def loss(self, s, returns):
        delta = returns - self.value(s)  # cause
        return tf.reduce_mean(tf.square(delta))


critic = Critic(w)
returns = discounted(rewards)
for _ in range(20):
    with tf.GradientTape() as tape:
        loss = critic.loss(states, returns)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", w.numpy().ravel())
