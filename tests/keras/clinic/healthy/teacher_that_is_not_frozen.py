"""A student learns from a random teacher of the same kind, whose layer has a variable as an attribute."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Scale(layers.Layer):
    def __init__(self):
        super().__init__()
        self.factor = keras.Variable(1.5)

    def call(self, x):
        return x * self.factor


teacher = keras.Sequential([keras.Input((3,)), layers.Dense(2), Scale()])
student = keras.Sequential([keras.Input((3,)), layers.Dense(2), Scale()])
optimizer = keras.optimizers.Adam()
x = np.random.default_rng(1).normal(size=(64, 3)).astype("float32")
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((teacher(x) - student(x)) ** 2)
    optimizer.apply(tape.gradient(loss, student.trainable_variables), student.trainable_variables)
