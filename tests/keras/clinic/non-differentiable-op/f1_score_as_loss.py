"""A macro F1 score is minimised directly through compile."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(3)
x = rng.normal(size=(200, 10)).astype("float32")
y = (x[:, :3].sum(axis=1, keepdims=True) > 0.8).astype("float32")


def f1_loss(y_true, y_pred):
    y_true = tf.cast(y_true, tf.float32)
    hard = tf.round(tf.clip_by_value(y_pred, 0.0, 1.0))  # cause
    true_positives = tf.reduce_sum(hard * y_true, axis=0)
    false_positives = tf.reduce_sum(hard * (1.0 - y_true), axis=0)
    false_negatives = tf.reduce_sum((1.0 - hard) * y_true, axis=0)
    precision = true_positives / (true_positives + false_positives + keras.backend.epsilon())
    recall = true_positives / (true_positives + false_negatives + keras.backend.epsilon())
    f1 = 2.0 * precision * recall / (precision + recall + keras.backend.epsilon())
    return 1.0 - tf.reduce_mean(f1)


inputs = keras.Input((10,))
h = keras.layers.Dense(16, activation="relu")(inputs)
h = keras.layers.Dropout(0.2)(h)
outputs = keras.layers.Dense(1, activation="sigmoid")(h)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss=f1_loss, metrics=["accuracy"])
history = model.fit(x, y, batch_size=32, epochs=2, validation_split=0.2, verbose=0)
print(history.history["loss"])
