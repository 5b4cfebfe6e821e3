"""A memory is read at the position with the largest score, by argmax."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(3)
rng = np.random.default_rng(3)
memory = rng.normal(size=(32, 6, 4)).astype("float32")
query = rng.normal(size=(32, 4)).astype("float32")
answer = rng.normal(size=(32, 2)).astype("float32")


class HardAttention(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.to_key = layers.Dense(units, use_bias=False)
        self.to_query = layers.Dense(units, use_bias=False)

    def call(self, memory, query):
        keys = self.to_key(memory)
        scores = keras.ops.einsum("btd,bd->bt", keys, self.to_query(query))
        position = keras.ops.argmax(scores, axis=-1)  # cause
        chosen = keras.ops.one_hot(position, 6)
        return keras.ops.einsum("bt,btd->bd", chosen, memory)


m, q = keras.Input((6, 4)), keras.Input((4,))
read = HardAttention(8)(m, q)
out = layers.Dense(2)(layers.Concatenate()([read, q]))
model = keras.Model([m, q], out)
optimizer = keras.optimizers.Adam(1e-3)


@tf.function
def train(batch_m, batch_q, target):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model([batch_m, batch_q], training=True) - target))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for i in range(3):
    print(i, float(train(memory, query, answer)))
