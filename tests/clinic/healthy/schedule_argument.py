import numpy as np
import tensorflow as tf


class Annealed:
    def __init__(self):
        self.beta = tf.Variable(0.0, trainable=False)
        self.mu = tf.Variable([0.5, -1.0])
        self.epoch = 0
        self.history = []

    @tf.function
    def loss(self, x):
        print("tracing at epoch", self.epoch)
        return tf.reduce_sum((x - self.mu) ** 2) + self.beta * tf.reduce_sum(self.mu ** 2)

    def fit(self, x, epochs):
        for self.epoch in range(epochs):
            self.beta.assign(self.epoch / epochs)
            with tf.GradientTape() as tape:
                value = self.loss(x)
            g = tape.gradient(value, self.mu)
            self.mu.assign_sub(0.1 * g)
            self.history.append(float(value))
        return g


print("RESULT:", Annealed().fit(tf.constant([1.0, 2.0]), 4).numpy())
