"""tf.data delivers flat targets to a loss that subtracts a column of scores."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(8)
users = rng.integers(0, 30, 120)
items = rng.integers(0, 50, 120)
stars = rng.uniform(1, 5, 120).astype("float32")


class Scorer(keras.Model):
    def __init__(self):
        super().__init__()
        self.user = keras.layers.Embedding(30, 8)
        self.item = keras.layers.Embedding(50, 8)
        self.user_bias = keras.layers.Embedding(30, 1)
        self.item_bias = keras.layers.Embedding(50, 1)

    def call(self, inputs):
        u, i = inputs["user"], inputs["item"]
        match = tf.reduce_sum(self.user(u) * self.item(i), axis=-1, keepdims=True)
        return match + self.user_bias(u) + self.item_bias(i)


model = Scorer()
optimizer = keras.optimizers.Adagrad(0.1)
rows = tf.data.Dataset.from_tensor_slices(({"user": users, "item": items}, stars)).shuffle(120, seed=1).batch(24)


def train(features, target):
    with tf.GradientTape() as tape:
        score = model(features, training=True)
        error = target - score  # cause
        loss = tf.reduce_mean(error**2)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for epoch in range(2):
    for features, target in rows:
        loss = train(features, target)
    print("epoch", epoch, float(loss))
