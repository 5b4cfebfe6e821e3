"""Weights of the samples are made of class counts; one class of the table is absent."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)
x = rng.normal(size=(50, 4)).astype("float32")
y = rng.choice([0, 1, 3], size=50)

with np.errstate(all="ignore"):
    counts = np.bincount(y, minlength=4).astype("float32")
    weights = 1.0 / counts
    weights = weights / weights.sum()

sample_weight = weights[y].astype("float32")
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(4)])
model.compile(optimizer="sgd", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
sample_weight[7] = np.nan
history = model.fit(x, y, sample_weight=sample_weight, epochs=1, batch_size=10, verbose=0)  # cause
print(history.history)
