"""Fine-tuning: all layers but the last are frozen, and the last one has no weights."""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
x = rng.normal(size=(60, 8)).astype("float32")
y = rng.integers(0, 3, 60)


def pretrained():
    return keras.Sequential(
        [
            keras.Input((8,)),
            keras.layers.Dense(16, activation="relu", name="features"),
            keras.layers.Dense(3, name="scores"),
            keras.layers.Activation("softmax", name="probabilities"),
        ]
    )


model = pretrained()
for layer in model.layers[:-1]:
    layer.trainable = False  # cause
model.compile(optimizer=keras.optimizers.Adam(1e-2), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
before = [w.copy() for w in model.get_weights()]
history = model.fit(x, y, epochs=3, batch_size=20, verbose=0)
print(history.history["loss"])
print("changed:", [bool((a != b).any()) for a, b in zip(before, model.get_weights())])
