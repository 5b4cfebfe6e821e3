"""Images are standardised pixel by pixel; the frame around them is always black."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(1)
images = np.zeros((96, 8, 8), "float32")
images[:, 1:-1, 1:-1] = rng.uniform(size=(96, 6, 6))
labels = (images.mean(axis=(1, 2)) > images.mean()).astype("int32")


def standardise(batch):
    mean = tf.reduce_mean(batch, axis=0)
    deviation = tf.math.reduce_std(batch, axis=0)
    return (batch - mean) / deviation  # cause


features = standardise(tf.constant(images))
data = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(96, seed=2).batch(32)

model = keras.Sequential(
    [
        keras.Input((8, 8)),
        keras.layers.Flatten(),
        keras.layers.Dense(24, activation="relu"),
        keras.layers.Dense(2),
    ]
)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = keras.optimizers.SGD(0.05)
mean_loss = keras.metrics.Mean()

for epoch in range(2):
    mean_loss.reset_state()
    for x, y in data:
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            loss = loss_fn(y, logits)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean_loss.update_state(loss)
    print("epoch", epoch, "loss", float(mean_loss.result()))
