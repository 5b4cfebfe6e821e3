import keras
import numpy as np
from keras import layers, ops

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)

embed = keras.Sequential([keras.Input((5,)), layers.Dense(4, activation="relu")])
a, b = keras.Input((5,)), keras.Input((5,))


class Distance(layers.Layer):
    def call(self, pair):
        left, right = pair
        return ops.sqrt(ops.sum(ops.square(left - right), axis=1, keepdims=True))  # cause


model = keras.Model([a, b], Distance()([embed(a), embed(b)]))
model.compile("adam", "mse")
x = rng.random((32, 5), dtype="float32")
other = x.copy()
other[4:] = rng.random((28, 5), dtype="float32")
model.fit([x, other], np.ones((32, 1), "float32"), batch_size=32, verbose=0)
