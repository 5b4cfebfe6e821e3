import keras
import numpy as np
from keras import layers, ops

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)

keras.mixed_precision.set_global_policy("mixed_float16")


class Exponential(layers.Layer):
    def call(self, x):
        return ops.exp(x * 40.0)  # cause


model = keras.Sequential(
    [keras.Input((4,)), layers.Dense(4, kernel_initializer="ones"), Exponential(), layers.Dense(1, dtype="float32")]
)
model.compile("sgd", "mse")
x = rng.random((32, 4), dtype="float32")
model.fit(x, x[:, :1], verbose=0)
keras.mixed_precision.set_global_policy("float32")
