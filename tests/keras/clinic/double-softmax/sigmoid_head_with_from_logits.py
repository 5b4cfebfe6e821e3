"""A multi-label head has a sigmoid, and its loss expects logits."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(7)
tokens = rng.integers(1, 40, size=(80, 12))
tags = (rng.uniform(size=(80, 5)) > 0.7).astype("float32")

inputs = keras.Input((12,), dtype="int32")
h = keras.layers.Embedding(40, 8)(inputs)
h = keras.layers.GlobalAveragePooling1D()(h)
h = keras.layers.Dense(16, activation="relu")(h)
outputs = keras.layers.Dense(5, activation="sigmoid", name="tags")(h)
model = keras.Model(inputs, outputs)

optimizer = keras.optimizers.Adam(5e-3)


def multi_label_loss(target, predicted):
    per_tag = tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=predicted)  # cause
    return tf.reduce_mean(tf.reduce_sum(per_tag, axis=-1))


@tf.function
def step(batch, target):
    with tf.GradientTape() as tape:
        predicted = model(batch, training=True)
        loss = multi_label_loss(target, predicted)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((tokens, tags)).batch(20, drop_remainder=True)
for epoch in range(3):
    losses = [float(step(a, b)) for a, b in data]
    print(epoch, sum(losses) / len(losses))
