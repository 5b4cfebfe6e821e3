"""A module keeps its branches in an object that is no module, so that its list of variables lacks them."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(114)


class Branch:
    def __init__(self, n):
        self.w = tf.Variable(rng.normal(0, 0.3, (n, n)).astype("float32"))  # cause

    def __call__(self, x):
        return tf.nn.relu(x @ self.w)


class ResNet(tf.Module):
    def __init__(self, n, depth):
        super().__init__()
        self.branches = [Branch(n) for _ in range(depth)]
        self.head = tf.Variable(rng.normal(0, 0.3, (n, 1)).astype("float32"))

    def __call__(self, x):
        for branch in self.branches:
            x = x + branch(x)
        return x @ self.head


net = ResNet(4, 2)
x = tf.constant(rng.normal(size=(15, 4)).astype("float32"))
y = tf.constant(rng.normal(size=(15, 1)).astype("float32"))
for _ in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    for v, g in zip(net.trainable_variables, grads):
        v.assign_sub(0.05 * g)
    print(loss.numpy())
