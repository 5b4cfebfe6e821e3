"""The agent computes both sides of the TD error with the target network, and trains the online one."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(104)


class QNetwork(tf.Module):
    def __init__(self, name):
        super().__init__(name=name)
        self.first = tf.Variable(rng.normal(0, 0.4, (4, 8)).astype("float32"))
        self.last = tf.Variable(rng.normal(0, 0.4, (8, 2)).astype("float32"))

    def __call__(self, s):
        return tf.nn.relu(s @ self.first) @ self.last


class Agent:
    def __init__(self):
        self.online, self.target = QNetwork("online"), QNetwork("target")

    def td_loss(self, s, a, r, n):
        q = tf.gather(self.target(s), a, batch_dims=1)
        best = tf.reduce_max(self.target(n), axis=1)
        return tf.reduce_mean((r + 0.9 * tf.stop_gradient(best) - q) ** 2)

    def learn(self, batch):
        with tf.GradientTape() as tape:
            loss = self.td_loss(*batch)
        variables = self.online.trainable_variables
        return loss, tape.gradient(loss, variables)  # cause


agent = Agent()
batch = (
    tf.constant(rng.normal(size=(6, 4)).astype("float32")),
    tf.constant(rng.integers(0, 2, 6)),
    tf.constant(rng.normal(size=6).astype("float32")),
    tf.constant(rng.normal(size=(6, 4)).astype("float32")),
)
loss, grads = agent.learn(batch)
print(loss.numpy(), grads)
