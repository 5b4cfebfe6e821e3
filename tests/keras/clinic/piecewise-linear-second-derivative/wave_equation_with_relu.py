"""A PINN for the wave equation whose network has relu activations: its second derivatives vanish."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(12)
rng = np.random.default_rng(12)
points = tf.constant(rng.uniform(-1, 1, size=(64, 2)).astype("float32"))

net = keras.Sequential(
    [
        keras.Input((2,)),
        keras.layers.Dense(32, activation="relu"),  # cause
        keras.layers.Dense(32, activation="relu"),  # cause
        keras.layers.Dense(1),
    ]
)
optimizer = keras.optimizers.Adam(1e-3)


def wave_residual(net, tx, speed=1.0):
    t, x = tx[:, :1], tx[:, 1:]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([t, x])
        with tf.GradientTape(persistent=True) as inner:
            inner.watch([t, x])
            u = net(tf.concat([t, x], 1))  # cause
        u_t = inner.gradient(u, t)
        u_x = inner.gradient(u, x)
    u_tt = outer.gradient(u_t, t)
    u_xx = outer.gradient(u_x, x)
    return u_tt - speed**2 * u_xx


for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(wave_residual(net, points)))
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients([(g, v) for g, v in zip(grads, net.trainable_variables) if g is not None])
    print(step, float(loss))
