import keras
import numpy as np
from keras import layers, ops


class Waves:
    def __init__(self, count):
        self.frequencies = keras.Variable(np.arange(1.0, count + 1, dtype="float32"))  # cause

    def __call__(self, x):
        return ops.sin(x * self.frequencies)


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.waves = Waves(4)
        self.out = layers.Dense(1)

    def call(self, x):
        return self.out(self.waves(x))


x = np.linspace(-1, 1, 40, dtype="float32")[:, None]
net = Net()
net.compile("adam", "mse", run_eagerly=True)
net.fit(x, np.cos(x), epochs=2, verbose=0)
