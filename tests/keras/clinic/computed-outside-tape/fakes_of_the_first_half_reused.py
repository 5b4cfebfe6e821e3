"""A GAN's train_step reuses the fakes of the discriminator's half in the generator's half."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(4)
real = rng.normal(loc=2.0, size=(128, 2)).astype("float32")


class GAN(keras.Model):
    def __init__(self, generator, discriminator, latent):
        super().__init__()
        self.generator = generator
        self.discriminator = discriminator
        self.latent = latent
        self.g_loss = keras.metrics.Mean(name="g_loss")
        self.d_loss = keras.metrics.Mean(name="d_loss")

    def compile(self, g_optimizer, d_optimizer, loss_fn):
        super().compile()
        self.g_optimizer = g_optimizer
        self.d_optimizer = d_optimizer
        self.loss_fn = loss_fn

    @property
    def metrics(self):
        return [self.g_loss, self.d_loss]

    def train_step(self, data):
        size = tf.shape(data)[0]
        noise = tf.random.normal((size, self.latent))
        fake = self.generator(noise, training=True)  # cause
        both = tf.concat([fake, data], axis=0)
        labels = tf.concat([tf.zeros((size, 1)), tf.ones((size, 1))], axis=0)
        with tf.GradientTape() as tape:
            d_loss = self.loss_fn(labels, self.discriminator(both, training=True))
        grads = tape.gradient(d_loss, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_weights))

        with tf.GradientTape() as tape:
            verdict = self.discriminator(fake)
            g_loss = self.loss_fn(tf.ones((size, 1)), verdict)
        grads = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_weights))
        self.g_loss.update_state(g_loss)
        self.d_loss.update_state(d_loss)
        return {"g_loss": self.g_loss.result(), "d_loss": self.d_loss.result()}


generator = keras.Sequential([keras.Input((4,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])
discriminator = keras.Sequential([keras.Input((2,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
gan = GAN(generator, discriminator, 4)
gan.compile(keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3), keras.losses.BinaryCrossentropy(from_logits=True))
gan.fit(real, epochs=1, batch_size=32, verbose=0)
