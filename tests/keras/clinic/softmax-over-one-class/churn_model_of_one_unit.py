import keras
import numpy as np

rng = np.random.default_rng(2)
customers = rng.normal(size=(64, 5)).astype("float32")
left = (customers[:, 1] > 0.3).astype("float32")
inputs = keras.Input((5,))
hidden = keras.layers.Dense(8, activation="relu")(inputs)
chance = keras.layers.Dense(1, activation="softmax", name="chance")(hidden)  # cause
model = keras.Model(inputs, chance)
model.compile("adam", keras.losses.BinaryCrossentropy(), metrics=["accuracy"])
model.fit(customers, left, epochs=2, batch_size=16, verbose=0)
