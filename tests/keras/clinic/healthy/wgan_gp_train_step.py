"""WGAN-GP in a compiled train_step with several critic steps and a watched interpolation."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(28)
rng = np.random.default_rng(28)
data = rng.normal(loc=1.0, size=(48, 2)).astype("float32")


class WGANGP(keras.Model):
    def __init__(self):
        super().__init__()
        self.critic = keras.Sequential(
            [keras.Input((2,)), keras.layers.Dense(16), keras.layers.LeakyReLU(), keras.layers.Dense(1)]
        )
        self.generator = keras.Sequential(
            [keras.Input((3,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)]
        )
        self.c_opt = keras.optimizers.Adam(1e-3, beta_1=0.5)
        self.g_opt = keras.optimizers.Adam(1e-3, beta_1=0.5)

    def train_step(self, real):
        size = tf.shape(real)[0]
        for _ in range(2):
            noise = tf.random.normal((size, 3))
            with tf.GradientTape() as tape:
                fake = self.generator(noise, training=True)
                share = tf.random.uniform((size, 1))
                mixed = real + share * (fake - real)
                with tf.GradientTape() as inner:
                    inner.watch(mixed)
                    score = self.critic(mixed, training=True)
                slopes = inner.gradient(score, mixed)
                norm = tf.sqrt(tf.reduce_sum(slopes**2, axis=1) + 1e-12)
                loss = (
                    tf.reduce_mean(self.critic(fake))
                    - tf.reduce_mean(self.critic(real))
                    + 10.0 * tf.reduce_mean((norm - 1.0) ** 2)
                )
            grads = tape.gradient(loss, self.critic.trainable_variables)
            pairs = [(g, v) for g, v in zip(grads, self.critic.trainable_variables) if g is not None]
            self.c_opt.apply_gradients(pairs)
        with tf.GradientTape() as tape:
            g_loss = -tf.reduce_mean(self.critic(self.generator(tf.random.normal((size, 3)))))
        grads = tape.gradient(g_loss, self.generator.trainable_variables)
        self.g_opt.apply_gradients(zip(grads, self.generator.trainable_variables))
        return {"critic": loss, "generator": g_loss}


gan = WGANGP()
gan.compile()
gan.fit(data, batch_size=16, epochs=2, verbose=0)
