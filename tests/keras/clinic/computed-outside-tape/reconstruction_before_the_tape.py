"""An autoencoder's custom train_step encodes before its tape is opened."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(5)
signals = np.sin(np.linspace(0, 6, 30) * rng.uniform(0.5, 2.0, (64, 1))).astype("float32")


class Denoiser(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(4)])
        self.decoder = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(30)])
        self.tracker = keras.metrics.Mean(name="loss")

    def call(self, x):
        return self.decoder(self.encoder(x))

    @property
    def metrics(self):
        return [self.tracker]

    def train_step(self, clean):
        noisy = clean + tf.random.normal(tf.shape(clean), stddev=0.1)
        code = self.encoder(noisy, training=True)  # cause
        with tf.GradientTape() as tape:
            restored = self.decoder(code, training=True)
            loss = tf.reduce_mean(tf.square(restored - clean))
        variables = self.encoder.trainable_variables + self.decoder.trainable_variables
        grads = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(grads, variables))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}


model = Denoiser()
model.compile(optimizer=keras.optimizers.RMSprop(1e-3))
model.fit(signals, epochs=2, batch_size=16, verbose=0)
print("done")
