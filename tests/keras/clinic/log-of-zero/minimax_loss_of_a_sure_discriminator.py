"""The original GAN loss with logarithms of probabilities; the discriminator is already sure."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(4)
rng = np.random.default_rng(4)
real = (rng.normal(size=(64, 2)) * 30 + 200).astype("float32")

generator = keras.Sequential([keras.Input((3,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])
discriminator = keras.Sequential(
    [
        keras.Input((2,)),
        keras.layers.Dense(1, activation="sigmoid", kernel_initializer=keras.initializers.Constant(1.0)),
    ]
)
g_opt, d_opt = keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3)


def losses(noise, data):
    fake = generator(noise, training=True)
    p_real, p_fake = discriminator(data), discriminator(fake)
    d_loss = -tf.reduce_mean(tf.math.log(p_real) + tf.math.log(1.0 - p_real * 0.0 - p_fake))
    saturating = tf.reduce_mean(tf.math.log(1.0 - discriminator(data + fake)))  # cause
    return d_loss, saturating


for step in range(3):
    noise = tf.random.normal((32, 3))
    with tf.GradientTape(persistent=True) as tape:
        d_loss, g_loss = losses(noise, real[:32])
    d_grads = tape.gradient(d_loss, discriminator.trainable_variables)
    g_grads = tape.gradient(g_loss, generator.trainable_variables)
    del tape
    d_opt.apply_gradients(zip(d_grads, discriminator.trainable_variables))
    g_opt.apply_gradients(zip(g_grads, generator.trainable_variables))
    print(step, float(d_loss), float(g_loss))
