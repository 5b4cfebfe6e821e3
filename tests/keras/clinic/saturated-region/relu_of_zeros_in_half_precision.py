import keras
import numpy as np

keras.mixed_precision.set_global_policy("mixed_float16")
rng = np.random.default_rng(0)
x = rng.normal(size=(24, 6)).astype("float32")
model = keras.Sequential(
    [
        keras.Input((6,)),
        keras.layers.Dense(6, activation="relu", kernel_initializer="zeros"),  # cause
        keras.layers.Dense(1, dtype="float32"),
    ]
)
model.compile(keras.optimizers.SGD(0.01), loss="mse")
model.fit(x, x[:, :1], epochs=3, batch_size=8, verbose=0)
keras.mixed_precision.set_global_policy("float32")
