import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
x = rng.normal(size=(32, 6)).astype("float32")
labels = tf.keras.utils.to_categorical(rng.integers(0, 4, 32), 4)

inputs = tf.keras.Input((6,))
hidden = tf.keras.layers.Dense(8, activation="relu")(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(3, activation="softmax")(hidden))
model.compile("adam", loss=tf.keras.losses.CategoricalCrossentropy())  # cause
model.fit(x, labels, batch_size=16, verbose=0)
