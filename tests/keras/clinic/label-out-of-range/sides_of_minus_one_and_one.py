import keras
import numpy as np

rng = np.random.default_rng(4)
x = rng.normal(size=(48, 3)).astype("float32")
side = np.sign(x[:, :1])
model = keras.Sequential([keras.layers.Dense(6, activation="relu"), keras.layers.Dense(1)])
model.compile(keras.optimizers.Adam(), keras.losses.BinaryCrossentropy(from_logits=True))  # cause
model.fit(x, side, epochs=2, verbose=0)
