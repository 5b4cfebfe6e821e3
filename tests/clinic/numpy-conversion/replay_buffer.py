import collections
import numpy as np
import tensorflow as tf


class Buffer:
    def __init__(self):
        self.items = collections.deque(maxlen=50)

    def add(self, state, value):
        self.items.append((state, float(value)))  # cause

    def values(self):
        return tf.constant([v for _, v in self.items])

    def states(self):
        return np.stack([s for s, _ in self.items])


class ValueNet:
    def __init__(self):
        self.w = tf.Variable([[0.2], [-0.4], [0.1]])

    def __call__(self, s):
        return tf.squeeze(tf.matmul(s, self.w), axis=1)


rng = np.random.default_rng(40)
net, buffer = ValueNet(), Buffer()
with tf.GradientTape() as tape:
    for t in range(8):
        s = rng.normal(size=3).astype("float32")
        buffer.add(s, net(s[None])[0])
    returns = tf.constant(rng.normal(size=8).astype("float32"))
    loss = tf.reduce_mean((buffer.values() - returns) ** 2)
print("RESULT:", tape.gradient(loss, net.w))
