import keras
from keras import layers


class Residual(layers.Layer):
    def call(self, x):
        self.inner = layers.Dense(x.shape[-1])  # cause
        return x + self.inner(x)


model = keras.Sequential([keras.Input((4,)), Residual(), layers.Dense(1)])
