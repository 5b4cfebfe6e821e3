"""A tf.data pipeline averages the valid readings of a window; one window has none."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(9)
readings = rng.normal(20.0, 3.0, size=(40, 6)).astype("float32")
valid = rng.uniform(size=(40, 6)) > 0.3
valid[17] = False
target = rng.normal(size=(40, 1)).astype("float32")


def summarise(values, ok, label):
    kept = tf.boolean_mask(values, ok)
    return tf.stack([tf.reduce_mean(kept), tf.reduce_max(values), tf.reduce_min(values)]) / 10.0, label  # cause


dataset = tf.data.Dataset.from_tensor_slices((readings, valid, target)).map(summarise).batch(8)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(1e-2)
loss_fn = keras.losses.MeanAbsoluteError()

for epoch in range(2):
    total = 0.0
    for features, label in dataset:
        with tf.GradientTape() as tape:
            prediction = model(features, training=True)
            loss = loss_fn(label, prediction)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        total += float(loss)
    print(f"epoch {epoch}: {total / 5:.3f}")
