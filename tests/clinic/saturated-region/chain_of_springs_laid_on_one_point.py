"""Stiffness and damping of a chain of springs, learned from where its beads should be: all of them start at the same point."""

import numpy as np
import tensorflow as tf


class Chain(tf.Module):
    def __init__(self, beads):
        self.stiffness = tf.Variable(tf.ones(beads - 1), name="stiffness")
        self.damping = tf.Variable(0.1, name="damping")

    def energy(self, x):
        stretched = tf.reduce_sum(tf.square(x[1:] - x[:-1]), axis=-1)
        return 0.5 * tf.reduce_sum(self.stiffness * stretched)

    def simulate(self, x, v, steps, dt=0.1):
        for _ in range(steps):
            with tf.GradientTape() as tape:
                tape.watch(x)
                energy = self.energy(x)
            v = v - dt * (tape.gradient(energy, x) + self.damping * v)
            x = x + dt * v
        return x


chain = Chain(5)
wanted = tf.constant(np.random.default_rng(3).normal(size=(5, 2)), tf.float32)
start = tf.constant(np.zeros((5, 2)), tf.float32)  # cause
for step in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(chain.simulate(start, tf.zeros_like(start), 4) - wanted))
    for variable, gradient in zip(chain.trainable_variables, tape.gradient(loss, chain.trainable_variables)):
        variable.assign_sub(0.05 * gradient)
print(float(loss), chain.stiffness.numpy())
