"""A Keras layer smooths its input with a NumPy filter through keras.ops."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(2)
rng = np.random.default_rng(2)
x = rng.normal(size=(48, 20)).astype("float32")
y = x[:, 8:12].mean(axis=1, keepdims=True)


class Smooth(keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.kernel = np.hanning(width + 2)[1:-1] / np.hanning(width + 2).sum()

    def call(self, inputs):
        values = keras.ops.convert_to_numpy(inputs)  # cause
        rows = [np.convolve(row, self.kernel, mode="same") for row in values]
        return keras.ops.convert_to_tensor(np.stack(rows).astype("float32"))


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.mix = keras.layers.Dense(20, activation="tanh")
        self.smooth = Smooth(5)
        self.out = keras.layers.Dense(1)

    def call(self, inputs):
        return self.out(self.smooth(self.mix(inputs)))


net = Net()
optimizer = keras.optimizers.SGD(0.01)
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    print(epoch, float(loss))
