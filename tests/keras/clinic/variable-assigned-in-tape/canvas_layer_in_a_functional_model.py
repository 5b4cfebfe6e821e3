"""A layer pastes predicted patches onto a canvas that a discriminator then judges."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(0)
codes = rng.normal(size=(64, 6)).astype("float32")


class PasteOnCanvas(keras.layers.Layer):
    """Writes a patch of 4 numbers into the middle of a canvas of 8."""

    def __init__(self, rows, **kwargs):
        super().__init__(**kwargs)
        self.rows = rows

    def build(self, shape):
        self.canvas = self.add_weight(shape=(self.rows, 8), initializer="zeros", trainable=False, name="canvas")

    def call(self, patches):
        self.canvas.assign(tf.pad(patches, [[0, 0], [2, 2]]))  # cause
        return self.canvas + 0.0


critic = keras.Sequential([keras.Input((8,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
critic.trainable = False
patcher = keras.Sequential([keras.Input((6,)), keras.layers.Dense(16, activation="tanh"), keras.layers.Dense(4)])
paste = PasteOnCanvas(16)
bce = keras.losses.BinaryCrossentropy(from_logits=True)
optimizer = keras.optimizers.Adam(1e-3)


def train_patcher(batch):
    with tf.GradientTape() as tape:
        drawing = paste(patcher(batch, training=True))
        verdict = critic(drawing, training=False)
        loss = bce(tf.ones_like(verdict), verdict)
    grads = tape.gradient(loss, patcher.trainable_variables)
    pairs = [(g, v) for g, v in zip(grads, patcher.trainable_variables) if g is not None]
    if pairs:
        optimizer.apply_gradients(pairs)
    return loss


for epoch in range(3):
    for start in range(0, 64, 16):
        loss = train_patcher(codes[start : start + 16])
    print(f"epoch {epoch}: {float(loss):.4f}")
