"""A contrastive model keeps its projection head in a plain Python object."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
views = rng.normal(size=(64, 10)).astype("float32")


class ProjectionHead:
    """Not a keras.layers.Layer: only a helper that groups two matrices."""

    def __init__(self, width, out):
        self.first = tf.Variable(tf.random.normal([width, width], stddev=0.1), name="first")  # cause
        self.second = tf.Variable(tf.random.normal([width, out], stddev=0.1), name="second")  # cause

    def __call__(self, x):
        return tf.matmul(tf.nn.relu(tf.matmul(x, self.first)), self.second)


class Contrastive(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(8)])
        self.head = ProjectionHead(8, 4)

    def call(self, x):
        return tf.math.l2_normalize(self.head(self.encoder(x)) + 1e-3, axis=1)


def nt_xent(a, b, temperature=0.5):
    scores = tf.matmul(a, b, transpose_b=True) / temperature
    labels = tf.range(tf.shape(a)[0])
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=scores))


model = Contrastive()
optimizer = keras.optimizers.Adam(1e-3)
for step in range(4):
    batch = views[step * 16 : step * 16 + 16]
    noisy = batch + rng.normal(scale=0.05, size=batch.shape).astype("float32")
    with tf.GradientTape() as tape:
        loss = nt_xent(model(batch), model(noisy))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(step, float(loss))
