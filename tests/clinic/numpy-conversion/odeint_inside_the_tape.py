"""An epidemic model is integrated with SciPy inside the tape."""
import numpy as np
import tensorflow as tf
from scipy.integrate import odeint

days = np.linspace(0, 30, 31)


def sir(state, t, beta, gamma):
    s, i, r = state
    return [-beta * s * i, beta * s * i - gamma * i, gamma * i]


def infected(rates):
    beta, gamma = rates.numpy()  # cause
    path = odeint(sir, [0.99, 0.01, 0.0], days, args=(beta, gamma))
    return tf.constant(path[:, 1])


observed = infected(tf.constant([0.5, 0.1], tf.float64))
rates = tf.Variable([0.4, 0.15], dtype=tf.float64)
best = None
for it in range(4):
    with tf.GradientTape() as tape:
        curve = infected(rates)
        misfit = tf.reduce_mean((curve - observed) ** 2)
    slope = tape.gradient(misfit, rates)
    print(it, float(misfit), slope)
    if slope is not None:
        rates.assign_sub(0.1 * slope)
    best = misfit if best is None else tf.minimum(best, misfit)
