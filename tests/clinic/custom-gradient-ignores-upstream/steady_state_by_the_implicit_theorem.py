"""The steady state of a reaction is differentiated by the implicit function theorem."""
import numpy as np
import tensorflow as tf


def solve(rate, steps=60):
    c = tf.ones_like(rate)
    for _ in range(steps):
        f = c**3 + rate * c - 2.0
        c = c - f / (3.0 * c**2 + rate)
    return c


@tf.custom_gradient
def steady_state(rate):
    c = solve(rate)

    def backward(upstream):
        return -c / (3.0 * c**2 + rate)  # cause

    return c, backward


observed = tf.constant([0.8, 0.7, 0.6], tf.float64)
rates = tf.Variable(np.array([1.0, 1.5, 2.0]))
for i in range(6):
    with tf.GradientTape() as tape:
        c = steady_state(rates)
        misfit = tf.reduce_sum((c - observed) ** 2)
    slope = tape.gradient(misfit, rates)
    rates.assign_sub(0.5 * slope)
    print(i, float(misfit), rates.numpy())
