"""LARS: the trust ratio divides by the norm of a gradient that is 0, as the layer before a head of zeros has."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(40)
x = tf.constant(rng.normal(size=(20, 5)).astype("float32"))
y = tf.constant(rng.normal(size=(20, 1)).astype("float32"))


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.first = tf.Variable(rng.normal(0, 0.4, (5, 8)).astype("float32"))
        self.head = tf.Variable(tf.zeros((8, 1)))

    def __call__(self, x):
        return tf.tanh(x @ self.first) @ self.head


class LARS:
    def __init__(self, rate, eta=0.01):
        self.rate, self.eta = rate, eta

    def trust(self, w, g):
        return self.eta * tf.norm(w) / tf.norm(g)  # cause

    def apply(self, pairs):
        for g, w in pairs:
            w.assign_sub(self.rate * self.trust(w, g) * g)


net, optimizer = Net(), LARS(0.5)
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply(zip(grads, net.trainable_variables))
    print(epoch, loss.numpy())
