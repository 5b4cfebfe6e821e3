"""Metric learning: all distances within a batch, the diagonal included, by a root."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(2)
rng = np.random.default_rng(2)
x = rng.normal(size=(48, 6)).astype("float32")
y = rng.integers(0, 4, 48).astype("int32")


def batch_hard(labels, embeddings, margin=0.5):
    dots = tf.matmul(embeddings, embeddings, transpose_b=True)
    squares = tf.linalg.diag_part(dots)
    gaps = tf.maximum(squares[:, None] - 2.0 * dots + squares[None, :], 0.0)
    distances = tf.sqrt(gaps)  # cause
    same = tf.cast(labels[:, None] == labels[None, :], tf.float32)
    hardest_positive = tf.reduce_max(distances * same, axis=1)
    hardest_negative = tf.reduce_min(distances + 10.0 * same, axis=1)
    return tf.reduce_mean(tf.nn.relu(hardest_positive - hardest_negative + margin))


class Embedder(keras.Model):
    def __init__(self):
        super().__init__()
        self.net = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(4)])

    def call(self, x):
        return self.net(x)

    def train_step(self, data):
        inputs, labels = data
        with tf.GradientTape() as tape:
            loss = batch_hard(labels, self(inputs, training=True))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}


model = Embedder()
model.compile(optimizer="adam")
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(16), epochs=1, verbose=0)
