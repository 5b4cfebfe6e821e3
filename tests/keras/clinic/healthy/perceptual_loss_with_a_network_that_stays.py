"""A perceptual loss: a plain class holds a Keras network that is never trained, though it is trainable."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(24)
rng = np.random.default_rng(24)
low = rng.uniform(size=(16, 8, 8, 1)).astype("float32")
high = np.repeat(np.repeat(low, 2, axis=1), 2, axis=2)


class PerceptualLoss:
    def __init__(self):
        self.features = keras.Sequential(
            [
                keras.Input((16, 16, 1)),
                keras.layers.Conv2D(4, 3, activation="relu"),
                keras.layers.Conv2D(4, 3, activation="relu"),
            ]
        )

    def __call__(self, real, made):
        return tf.reduce_mean(tf.abs(self.features(real) - self.features(made)))


class Upscaler(keras.Model):
    def __init__(self):
        super().__init__()
        self.up = keras.layers.Conv2DTranspose(4, 3, strides=2, padding="same", activation="relu")
        self.out = keras.layers.Conv2D(1, 3, padding="same")
        self.perceptual = PerceptualLoss()

    def call(self, x):
        return self.out(self.up(x))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            made = self(x, training=True)
            loss = self.perceptual(y, made) + 0.1 * tf.reduce_mean(tf.square(y - made))
        variables = self.up.trainable_variables + self.out.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}


model = Upscaler()
model.compile(optimizer="adam")
model.fit(low, high, epochs=2, batch_size=8, verbose=0)
