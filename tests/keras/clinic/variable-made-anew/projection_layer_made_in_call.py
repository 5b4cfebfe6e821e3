"""A residual block makes its projection inside call, in a loop that runs eagerly."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(2)
x = rng.normal(size=(128, 12)).astype("float32")
y = np.sin(x.sum(axis=1, keepdims=True)).astype("float32")


class Block(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.first = keras.layers.Dense(units, activation="relu")
        self.second = keras.layers.Dense(units)

    def call(self, inputs):
        h = self.second(self.first(inputs))
        shortcut = inputs
        if inputs.shape[-1] != self.units:
            project = tf.Variable(tf.random.normal([inputs.shape[-1], self.units], stddev=0.1))  # cause
            shortcut = inputs @ project
        return tf.nn.relu(h + shortcut)


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.block = Block(20)
        self.head = keras.layers.Dense(1)

    def call(self, inputs):
        return self.head(self.block(inputs))


net = Net()
optimizer = keras.optimizers.Adam(0.01)
loss_fn = keras.losses.MeanSquaredError()
for step in range(20):
    batch = np.arange(step * 32, step * 32 + 32) % 128
    with tf.GradientTape() as tape:
        prediction = net(x[batch], training=True)
        loss = loss_fn(y[batch], prediction)
    grads = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(grads, net.trainable_variables))
    if step % 5 == 0:
        print(step, float(loss))
