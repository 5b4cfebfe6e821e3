"""A leapfrog integrator whose forces are gradients, and a fit through it with nested tapes."""
import numpy as np
import tensorflow as tf


def potential(q, mass):
    return -mass / tf.sqrt(tf.reduce_sum(q**2) + 1e-2)


def force(q, mass):
    with tf.GradientTape() as tape:
        tape.watch(q)
        energy = potential(q, mass)
    return -tape.gradient(energy, q)


def orbit(mass, steps=12, dt=0.05):
    q, p = tf.constant([1.0, 0.0]), tf.constant([0.0, 0.9])
    path = []
    for _ in range(steps):
        p = p + 0.5 * dt * force(q, mass)
        q = q + dt * p
        p = p + 0.5 * dt * force(q, mass)
        path.append(q)
    return tf.stack(path)


observed = orbit(tf.constant(1.0)).numpy()
mass = tf.Variable(0.7)
for i in range(4):
    with tf.GradientTape() as tape:
        misfit = tf.reduce_mean((orbit(mass) - observed) ** 2)
    slope = tape.gradient(misfit, mass)
    mass.assign_sub(2.0 * slope)
print(np.round(float(mass), 3))
