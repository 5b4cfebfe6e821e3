"""A PINN whose ansatz satisfies the boundary, with second derivatives by nested tapes."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(5)
net = keras.Sequential([keras.Input((1,)), keras.layers.Dense(16, activation="tanh"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(5e-3)
points = tf.constant(np.linspace(0, 1, 33, dtype="float32")[:, None])


def ansatz(x):
    return x * (1.0 - x) * net(x)


@tf.function
def step():
    with tf.GradientTape() as tape:
        with tf.GradientTape() as outer:
            outer.watch(points)
            with tf.GradientTape() as inner:
                inner.watch(points)
                u = ansatz(points)
            u_x = inner.gradient(u, points)
        u_xx = outer.gradient(u_x, points)
        loss = tf.reduce_mean((u_xx + np.float32(np.pi**2) * tf.sin(np.float32(np.pi) * points)) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    pairs = [(g, v) for g, v in zip(grads, net.trainable_variables) if g is not None]
    optimizer.apply_gradients(pairs)
    return loss


for _ in range(5):
    value = step()
print(float(value))
