"""A model uses an encoder with weights from elsewhere that an object of a plain class holds, so that they stay as they are."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(5)
rng = np.random.default_rng(5)


class Pretrained:
    def __init__(self, weights):
        self.network = keras.Sequential([keras.Input((5,)), keras.layers.Dense(3, activation="tanh")])
        self.network.set_weights(weights)

    def features(self, x):
        return self.network(x)


class Probe(keras.Model):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.encoder.features(x))


given = [rng.normal(size=(5, 3)).astype("float32"), np.zeros(3, "float32")]
probe, optimizer = Probe(Pretrained(given)), keras.optimizers.Adam(1e-2)
for step in range(4):
    x = tf.constant(rng.normal(size=(16, 5)), tf.float32)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(probe(x) - tf.reduce_sum(x, axis=1, keepdims=True)))
    optimizer.apply_gradients(zip(tape.gradient(loss, probe.trainable_variables), probe.trainable_variables))
print(float(loss))
