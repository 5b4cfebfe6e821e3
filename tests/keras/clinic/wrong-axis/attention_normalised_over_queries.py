"""Self-attention in a Keras layer, whose softmax runs over the queries."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
rng = np.random.default_rng(3)
sequences = rng.normal(size=(40, 6, 8)).astype("float32")
targets = sequences.mean(axis=(1, 2), keepdims=False).astype("float32")[:, None]


class SelfAttention(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.to_query = keras.layers.Dense(units, use_bias=False)
        self.to_key = keras.layers.Dense(units, use_bias=False)
        self.to_value = keras.layers.Dense(units, use_bias=False)

    def call(self, x):
        q, k, v = self.to_query(x), self.to_key(x), self.to_value(x)
        scores = tf.einsum("bqd,bkd->bqk", q, k) / tf.sqrt(float(self.units))
        weights = tf.nn.softmax(scores, axis=1)  # cause
        return tf.einsum("bqk,bkd->bqd", weights, v)


inputs = keras.Input((6, 8))
h = SelfAttention(8)(inputs)
h = keras.layers.LayerNormalization()(h + inputs)
h = keras.layers.GlobalAveragePooling1D()(h)
model = keras.Model(inputs, keras.layers.Dense(1)(h))
optimizer = keras.optimizers.Adam(1e-2)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(sequences) - targets))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(step, float(loss))
