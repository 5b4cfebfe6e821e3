"""A3C: the worker computes the loss with its own copy, and asks for the gradient of the shared network."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)


class Network:
    def __init__(self):
        self.w = tf.Variable(rng.normal(0, 0.4, (3, 2)).astype("float32"))
        self.v = tf.Variable(rng.normal(0, 0.4, (3, 1)).astype("float32"))

    def weights(self):
        return [self.w, self.v]

    def pull_from(self, other):
        for mine, theirs in zip(self.weights(), other.weights()):
            mine.assign(theirs)


class Worker:
    def __init__(self, shared):
        self.shared, self.local = shared, Network()

    def loss(self, obs, acts, returns):
        value = tf.squeeze(obs @ self.local.v, 1)
        ce = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=acts, logits=obs @ self.local.w)
        return tf.reduce_mean(ce * tf.stop_gradient(returns - value) + 0.5 * (returns - value) ** 2)

    def update(self, batch):
        self.local.pull_from(self.shared)
        with tf.GradientTape() as tape:
            loss = self.loss(*batch)
        grads = tape.gradient(loss, self.shared.weights())  # cause
        for v, g in zip(self.shared.weights(), grads):
            if g is not None:
                v.assign_sub(0.01 * g)
        return loss


shared = Network()
workers = [Worker(shared) for _ in range(2)]
for step in range(4):
    batch = (
        tf.constant(rng.normal(size=(6, 3)).astype("float32")),
        tf.constant(rng.integers(0, 2, 6)),
        tf.constant(rng.normal(size=6).astype("float32")),
    )
    print(workers[step % 2].update(batch).numpy())
