import keras
import numpy as np

keras.utils.set_random_seed(0)
x = np.random.default_rng(21).random((24, 3)).astype("float32")
x[5, 1] = np.nan
model = keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, x[:, :1], epochs=2, verbose=0)  # cause
