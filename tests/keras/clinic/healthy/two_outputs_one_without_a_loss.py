"""A functional model with an output for inspection alone, and a causal mask in its attention."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(26)
rng = np.random.default_rng(26)
ids = rng.integers(1, 20, size=(24, 7))


class Block(keras.layers.Layer):
    def __init__(self, dim):
        super().__init__()
        self.attend = keras.layers.MultiHeadAttention(2, dim)
        self.norm = keras.layers.LayerNormalization()
        self.feed = keras.Sequential([keras.layers.Dense(16, activation="gelu"), keras.layers.Dense(8)])

    def call(self, x):
        h, weights = self.attend(x, x, use_causal_mask=True, return_attention_scores=True)
        return self.norm(x + h + self.feed(x)), weights


inputs = keras.Input((7,), dtype="int32")
h, weights = Block(4)(keras.layers.Embedding(20, 8)(inputs))
logits = keras.layers.Dense(20)(h)
model = keras.Model(inputs, {"logits": logits, "weights": weights})
optimizer = keras.optimizers.AdamW(1e-3)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
for step in range(3):
    with tf.GradientTape() as tape:
        out = model(ids[:, :], training=True)
        loss = loss_fn(ids[:, 1:], out["logits"][:, :-1])
    grads = tape.gradient(loss, model.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 1.0)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(step, float(loss), float(norm), out["weights"].numpy().shape)
