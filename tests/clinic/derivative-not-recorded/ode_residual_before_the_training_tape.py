"""PINN: the derivative of u is taken outside the training tape."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(16)
sizes = [1, 20, 20, 1]
W = [tf.Variable(tf.random.normal((a, b), stddev=np.sqrt(2.0 / (a + b)))) for a, b in zip(sizes, sizes[1:])]
B = [tf.Variable(tf.zeros((b,))) for b in sizes[1:]]


def u(t):
    for w, b in zip(W[:-1], B[:-1]):
        t = tf.tanh(t @ w + b)
    return t @ W[-1] + B[-1]


def ode_residual(t):
    with tf.GradientTape() as g:
        g.watch(t)
        y = u(t)
    dy = g.gradient(y, t)  # cause
    return dy, y


t = tf.reshape(tf.linspace(0.0, 1.0, 16), (-1, 1))
t0 = tf.zeros((1, 1))
params = W + B
for epoch in range(3):
    dy, y = ode_residual(t)  # cause
    with tf.GradientTape() as tape:
        residual = dy + 2.0 * u(t)
        loss = tf.reduce_mean(residual**2) + tf.reduce_mean((u(t0) - 1.0) ** 2)
    grads = tape.gradient(loss, params)
    for p, gr in zip(params, grads):
        if gr is not None:
            p.assign_sub(0.01 * gr)
    print(epoch, float(loss))
