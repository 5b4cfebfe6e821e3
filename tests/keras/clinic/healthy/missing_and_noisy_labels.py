"""A label of -1 marks what is missing, and is masked; the labels of a discriminator carry noise."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def masked(y_true, y_pred):
    known = tf.cast(y_true >= 0, tf.float32)
    each = tf.nn.sigmoid_cross_entropy_with_logits(y_true, y_pred)
    return tf.reduce_sum(known * each) / tf.reduce_sum(known)


rng = np.random.default_rng(0)
x = rng.normal(size=(60, 4)).astype("float32")
tasks = rng.integers(-1, 2, (60, 3)).astype("float32")
model = keras.Sequential([keras.layers.Dense(8, "relu"), keras.layers.Dense(3)])
model.compile("adam", masked)
model.fit(x, tasks, epochs=2, verbose=0)

critic = keras.Sequential([keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
optimizer, bce = keras.optimizers.Adam(), keras.losses.BinaryCrossentropy(from_logits=True)
for _ in range(3):
    labels = tf.concat([tf.ones((8, 1)), tf.zeros((8, 1))], 0) + 0.05 * tf.random.uniform((16, 1))
    with tf.GradientTape() as tape:
        loss = bce(labels, critic(tf.random.normal((16, 4))))
    optimizer.apply(tape.gradient(loss, critic.trainable_weights), critic.trainable_weights)
