"""Rates of a predator-prey model are fitted through an integrator that stores its states in NumPy."""
import numpy as np
import tensorflow as tf

steps, dt = 60, 0.05
truth = np.array([1.1, 0.4, 0.4, 0.1])


def slopes(state, rates):
    prey, hunter = state[0], state[1]
    return tf.stack([rates[0] * prey - rates[1] * prey * hunter, rates[3] * prey * hunter - rates[2] * hunter])


def rk4(state, rates):
    k1 = slopes(state, rates)
    k2 = slopes(state + dt / 2 * k1, rates)
    k3 = slopes(state + dt / 2 * k2, rates)
    k4 = slopes(state + dt * k3, rates)
    return state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def integrate(rates):
    trajectory = np.zeros((steps, 2))
    state = tf.constant([10.0, 5.0], tf.float64)
    for i in range(steps):
        trajectory[i] = state  # cause
        state = rk4(state, rates)
    return tf.convert_to_tensor(trajectory)


observed = integrate(tf.constant(truth))
rates = tf.Variable(truth * np.array([1.2, 0.9, 1.1, 0.8]))
for it in range(5):
    with tf.GradientTape() as tape:
        path = integrate(rates)
        misfit = tf.reduce_mean((path - observed) ** 2)
    grad = tape.gradient(misfit, rates)
    print(it, float(misfit), grad)
    if grad is None:
        break
    rates.assign_sub(1e-5 * grad)
