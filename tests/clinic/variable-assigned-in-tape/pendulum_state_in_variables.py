"""The length of a pendulum is fitted, but the integrator keeps angle and speed in variables."""
import numpy as np
import tensorflow as tf

dt, steps = 0.02, 100


class Pendulum:
    def __init__(self, length):
        self.length = tf.Variable(length, dtype=tf.float64)
        self.angle = tf.Variable(0.0, dtype=tf.float64, trainable=False)
        self.speed = tf.Variable(0.0, dtype=tf.float64, trainable=False)

    def reset(self):
        self.angle.assign(0.5)
        self.speed.assign(0.0)

    def advance(self):
        pull = -9.81 / self.length * tf.sin(self.angle)
        self.speed.assign_add(dt * pull)  # cause
        self.angle.assign_add(dt * self.speed)

    def swing(self):
        self.reset()
        seen = []
        for _ in range(steps):
            self.advance()
            seen.append(self.angle + 0.0)
        return tf.stack(seen)


truth = Pendulum(1.3).swing()
model = Pendulum(1.0)
for i in range(3):
    with tf.GradientTape() as tape:
        misfit = tf.reduce_mean((model.swing() - truth) ** 2)
    slope = tape.gradient(misfit, model.length)
    print(i, float(misfit), slope)
    if slope is None:
        break
    model.length.assign_sub(0.5 * slope)
