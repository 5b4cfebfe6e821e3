"""WGAN-GP in train_step: the points between real and fake are not watched."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(4)
rng = np.random.default_rng(4)
real_data = rng.normal(size=(64, 3)).astype("float32")


class WGAN(keras.Model):
    def __init__(self):
        super().__init__()
        self.critic = keras.Sequential(
            [keras.Input((3,)), keras.layers.Dense(16, activation="tanh"), keras.layers.Dense(1)]
        )
        self.generator = keras.Sequential(
            [keras.Input((2,)), keras.layers.Dense(16, activation="tanh"), keras.layers.Dense(3)]
        )
        self.c_opt = keras.optimizers.Adam(1e-3)
        self.g_opt = keras.optimizers.Adam(1e-3)

    def penalty(self, real, fake):
        share = tf.random.uniform((tf.shape(real)[0], 1))
        between = share * real + (1.0 - share) * fake
        with tf.GradientTape() as inner:
            score = self.critic(between, training=True)  # cause
        slopes = inner.gradient(score, between)  # cause
        norm = tf.sqrt(tf.reduce_sum(tf.square(slopes), axis=1) + 1e-12)
        return tf.reduce_mean(tf.square(norm - 1.0))

    def train_step(self, real):
        noise = tf.random.normal((tf.shape(real)[0], 2))
        fake = self.generator(noise)
        with tf.GradientTape() as tape:
            c_loss = tf.reduce_mean(self.critic(fake)) - tf.reduce_mean(self.critic(real))
            c_loss += 10.0 * self.penalty(real, fake)
        grads = tape.gradient(c_loss, self.critic.trainable_variables)
        self.c_opt.apply_gradients(zip(grads, self.critic.trainable_variables))
        with tf.GradientTape() as tape:
            g_loss = -tf.reduce_mean(self.critic(self.generator(noise)))
        grads = tape.gradient(g_loss, self.generator.trainable_variables)
        self.g_opt.apply_gradients(zip(grads, self.generator.trainable_variables))
        return {"c": c_loss, "g": g_loss}


gan = WGAN()
gan.compile()
gan.fit(real_data, batch_size=16, epochs=1, verbose=0)
