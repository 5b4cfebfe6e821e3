"""A VAE on raw counts: the log-variance leaves its range and its exponential overflows."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)
counts = rng.poisson(900.0, size=(64, 12)).astype("float32")


class VAE(keras.Model):
    def __init__(self, latent):
        super().__init__()
        self.enc = keras.layers.Dense(16, activation="relu", kernel_initializer=keras.initializers.Constant(0.05))
        self.mean = keras.layers.Dense(latent, kernel_initializer=keras.initializers.Constant(0.02))
        self.log_var = keras.layers.Dense(latent, kernel_initializer=keras.initializers.Constant(0.02))
        self.dec = keras.layers.Dense(12)
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def encode(self, x):
        h = self.enc(x)
        return self.mean(h), self.log_var(h)

    def train_step(self, x):
        with tf.GradientTape() as tape:
            mean, log_var = self.encode(x)
            z = mean + tf.sqrt(tf.exp(log_var)) * tf.random.normal(tf.shape(mean))  # cause
            restored = self.dec(z)
            error = tf.reduce_mean(tf.square(restored - x), axis=1)
            kl = -0.5 * tf.reduce_sum(1 + log_var - tf.square(mean) - tf.exp(log_var), axis=1)
            loss = tf.reduce_mean(error + kl)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}


vae = VAE(2)
vae.compile(optimizer=keras.optimizers.Adam(1e-3))
history = vae.fit(counts, epochs=2, batch_size=16, verbose=0)
print(history.history)
