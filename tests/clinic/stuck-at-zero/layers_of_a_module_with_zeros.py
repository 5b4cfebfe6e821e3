"""Layers that make their kernels with zeros."""

import tensorflow as tf


class Dense(tf.Module):
    def __init__(self, inputs, outputs):
        self.kernel = tf.Variable(tf.zeros((inputs, outputs)))  # cause
        self.bias = tf.Variable(tf.zeros(outputs))

    def __call__(self, x):
        return x @ self.kernel + self.bias


class Network(tf.Module):
    def __init__(self):
        self.first, self.second = Dense(2, 6), Dense(6, 1)

    def __call__(self, x):
        return self.second(tf.nn.elu(self.first(x)))


network = Network()
x, y = tf.constant([[1.0, 2.0], [0.3, -0.5]]), tf.constant([[1.0], [-1.5]])


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(network(x) - y))
    grads = tape.gradient(loss, network.trainable_variables)
    for variable, g in zip(network.trainable_variables, grads):
        variable.assign_sub(0.05 * g)
    return grads


for _ in range(4):
    grads = step()
print([float(tf.norm(g)) for g in grads])
