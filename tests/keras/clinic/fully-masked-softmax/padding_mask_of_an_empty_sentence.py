"""A small transformer block masks padding with -inf; one sentence is empty."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(10)
ids = rng.integers(1, 30, size=(12, 7))
for row, length in enumerate([7, 5, 3, 6, 0, 2, 7, 4, 1, 5, 6, 3]):
    ids[row, length:] = 0
labels = rng.integers(0, 3, 12)


class Attention(keras.layers.Layer):
    def __init__(self, dim):
        super().__init__()
        self.query = keras.layers.Dense(dim)
        self.key = keras.layers.Dense(dim)
        self.value = keras.layers.Dense(dim)
        self.dim = dim

    def call(self, x, mask):
        scores = tf.matmul(self.query(x), self.key(x), transpose_b=True) / self.dim**0.5
        scores = tf.where(mask[:, None, :], scores, -np.inf)
        weights = tf.nn.softmax(scores, axis=-1)  # cause
        return tf.matmul(weights, self.value(x))


class Classifier(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = keras.layers.Embedding(30, 16)
        self.attend = Attention(16)
        self.out = keras.layers.Dense(3)

    def call(self, ids):
        mask = tf.not_equal(ids, 0)
        h = self.attend(self.embed(ids), mask)
        return self.out(tf.reduce_mean(h, axis=1))


model = Classifier()
optimizer = keras.optimizers.Adam(1e-3)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(tf.constant(ids)))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(step, float(loss))
