"""A masked bidirectional LSTM with class weights, early stopping and a learning rate schedule."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(4)
rng = np.random.default_rng(28)
ids = rng.integers(1, 25, size=(60, 9))
ids[rng.uniform(size=ids.shape) < 0.2] = 0
ids[:, 0] = rng.integers(1, 25, 60)
labels = rng.integers(0, 2, size=(60, 1)).astype("float32")

model = keras.Sequential(
    [
        keras.Input((9,), dtype="int32"),
        keras.layers.Embedding(25, 8, mask_zero=True),
        keras.layers.Bidirectional(keras.layers.LSTM(6)),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
schedule = keras.optimizers.schedules.ExponentialDecay(1e-2, 10, 0.9)
model.compile(keras.optimizers.Adam(schedule, clipnorm=1.0), loss="binary_crossentropy", metrics=["accuracy", "auc"])
stop = keras.callbacks.EarlyStopping(patience=1, restore_best_weights=True)
model.fit(
    ids,
    labels,
    epochs=2,
    batch_size=16,
    class_weight={0: 1.0, 1: 2.0},
    validation_split=0.2,
    callbacks=[stop],
    verbose=0,
)
print(model.predict(ids[:3], verbose=0).shape)
