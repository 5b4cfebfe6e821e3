"""A GRU keeps its state in a variable and overwrites it at every time step."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
UNITS, FEATURES, STEPS = 5, 2, 6


class GRU(tf.Module):
    def __init__(self):
        super().__init__()
        size = (FEATURES + UNITS, UNITS)
        self.update = tf.Variable(rng.normal(0, 0.3, size).astype("float32"))
        self.reset = tf.Variable(rng.normal(0, 0.3, size).astype("float32"))
        self.candidate = tf.Variable(rng.normal(0, 0.3, size).astype("float32"))
        self.state = tf.Variable(tf.zeros((4, UNITS)), trainable=False)

    def step(self, x):
        h = self.state.read_value()
        both = tf.concat([x, h], 1)
        z = tf.sigmoid(both @ self.update)
        r = tf.sigmoid(both @ self.reset)
        new = tf.tanh(tf.concat([x, r * h], 1) @ self.candidate)
        self.state.assign((1.0 - z) * h + z * new)  # cause

    def __call__(self, sequence):
        self.state.assign(tf.zeros_like(self.state))
        for t in range(STEPS):
            self.step(sequence[:, t])
        return self.state


cell = GRU()
head = tf.Variable(rng.normal(0, 0.3, (UNITS, 1)).astype("float32"))
series = tf.constant(rng.normal(size=(4, STEPS, FEATURES)).astype("float32"))
target = tf.reduce_sum(series[:, :, 0], axis=1, keepdims=True)
for epoch in range(3):
    with tf.GradientTape() as tape:
        forecast = tf.matmul(cell(series), head)
        loss = tf.reduce_mean(tf.square(forecast - target))
    variables = [cell.update, cell.reset, cell.candidate, head]
    for v, g in zip(variables, tape.gradient(loss, variables)):
        if g is None:
            print("no gradient")
            continue
        v.assign_sub(0.05 * g)
