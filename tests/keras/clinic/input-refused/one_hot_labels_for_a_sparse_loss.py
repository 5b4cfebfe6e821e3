"""Labels are one-hot, and the loss wants class numbers."""

import numpy as np
from tensorflow import keras

rng = np.random.default_rng(7)
x = rng.normal(size=(60, 7)).astype("float32")
labels = rng.integers(0, 5, 60)
y = keras.utils.to_categorical(labels, 5)


def build(width=16, rate=0.1):
    model = keras.Sequential()
    model.add(keras.Input((7,)))
    model.add(keras.layers.Dense(width, activation="relu"))
    model.add(keras.layers.BatchNormalization())
    model.add(keras.layers.Dropout(rate))
    model.add(keras.layers.Dense(5, activation="softmax"))
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss="sparse_categorical_crossentropy",  # cause
        metrics=["accuracy"],
    )
    return model


for width in (8, 16):
    model = build(width)
    history = model.fit(x, y, batch_size=20, epochs=2, validation_split=0.1, verbose=0)  # cause
    print(width, history.history["accuracy"])
