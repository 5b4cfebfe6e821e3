import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(8)
model = keras.Sequential(
    [
        keras.Input((12, 12, 1)),
        keras.layers.Conv2D(4, 3, activation="relu"),
        keras.layers.MaxPooling2D(),
        keras.layers.Dense(3, activation="softmax"),
    ]
)
model.compile("adam", "categorical_crossentropy")
rng = np.random.default_rng(8)
x = rng.normal(size=(16, 12, 12, 1)).astype("float32")
y = np.eye(3, dtype="float32")[rng.integers(0, 3, 16)]
model.fit(x, y, epochs=1, verbose=0)  # cause
