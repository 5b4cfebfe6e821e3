"""A step with momentum, whose velocities are kept in a list."""

import tensorflow as tf


class Momentum:
    def __init__(self, variables, rate=0.05, decay=0.9):
        self.variables, self.rate, self.decay = variables, rate, decay
        self.velocities = [tf.zeros_like(each) for each in variables]

    def step(self, gradients):
        for velocity, gradient in zip(self.velocities, gradients):
            velocity += self.decay * velocity + self.rate * gradient  # cause
        for variable, velocity in zip(self.variables, self.velocities):
            variable.assign_sub(velocity)


w, b = tf.Variable([[0.5], [-0.5]]), tf.Variable([0.0])
x = tf.random.stateless_normal((16, 2), [3, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
momentum = Momentum([w, b])
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w + b - y) ** 2)
    momentum.step(tape.gradient(loss, [w, b]))
print(float(loss))
