"""A PINN for the heat equation takes u_xx from a tape that did not see u_x."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(0)
rng = np.random.default_rng(12)
interior = rng.uniform(size=(64, 2)).astype("float32")
initial = np.stack([np.zeros(32), np.linspace(0, 1, 32)], axis=1).astype("float32")
heat = np.sin(np.pi * initial[:, 1:2]).astype("float32")

net = keras.Sequential(
    [
        keras.Input((2,)),
        keras.layers.Dense(20, activation="tanh"),
        keras.layers.Dense(20, activation="tanh"),
        keras.layers.Dense(1),
    ]
)
optimizer = keras.optimizers.Adam(2e-3)


def residual(points):
    t, x = tf.convert_to_tensor(points[:, 0:1]), tf.convert_to_tensor(points[:, 1:2])
    with tf.GradientTape(persistent=True) as second:
        second.watch(x)
        with tf.GradientTape(persistent=True) as first:
            first.watch([t, x])
            u = net(tf.concat([t, x], axis=1))
    u_t = first.gradient(u, t)
    u_x = first.gradient(u, x)  # cause
    u_xx = second.gradient(u_x, x)
    if u_xx is None:
        u_xx = tf.zeros_like(u_t)
    return u_t - 0.1 * u_xx


for step in range(3):
    with tf.GradientTape() as tape:
        physics = tf.reduce_mean(tf.square(residual(interior)))
        start = tf.reduce_mean(tf.square(net(initial) - heat))
        loss = physics + start
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    print(step, float(loss))
