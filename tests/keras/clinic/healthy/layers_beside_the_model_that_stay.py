"""Plain objects hold layers that are frozen, trained elsewhere, or only part of a loss."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Reservoir:
    def __init__(self):
        self.cells = layers.Dense(12, activation="tanh", trainable=False)

    def __call__(self, x):
        return self.cells(x)


class Distance:
    def __init__(self):
        self.features = keras.Sequential([layers.Dense(4, activation="relu")])

    def __call__(self, y_true, y_pred):
        return tf.reduce_mean(tf.square(self.features(y_true) - self.features(y_pred)))


class Target:
    def __init__(self):
        self.net = layers.Dense(3)

    def __call__(self, x):
        return tf.stop_gradient(self.net(x))


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.reservoir, self.target = Reservoir(), Target()
        self.out = layers.Dense(3)

    def call(self, x):
        return self.out(self.reservoir(x)) + self.target(x)


x = np.random.default_rng(0).normal(size=(40, 3)).astype("float32")
net = Net()
net.compile("adam", Distance())
net.fit(x, x**2, epochs=2, verbose=0)
