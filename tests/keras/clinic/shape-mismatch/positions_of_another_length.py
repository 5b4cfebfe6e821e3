"""A transformer's position table has more rows than the sequences."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(7)
ids = rng.integers(0, 30, size=(8, 12))


class Positions(keras.layers.Layer):
    def __init__(self, longest, vocabulary, dim):
        super().__init__()
        self.tokens = keras.layers.Embedding(vocabulary, dim)
        self.places = keras.layers.Embedding(longest, dim)
        self.longest = longest

    def call(self, x):
        where = tf.range(self.longest)
        return self.tokens(x) + self.places(where)  # cause


class Tagger(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = Positions(16, 30, 8)
        self.attend = keras.layers.MultiHeadAttention(2, 4)
        self.out = keras.layers.Dense(5)

    def call(self, x):
        h = self.embed(x)
        return self.out(h + self.attend(h, h))


model = Tagger()
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
with tf.GradientTape() as tape:
    loss = loss_fn(rng.integers(0, 5, size=(8, 12)), model(tf.constant(ids)))
grads = tape.gradient(loss, model.trainable_variables)
print([g.shape for g in grads])
