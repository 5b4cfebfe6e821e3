import numpy as np
import tensorflow as tf


class Dense:
    def __init__(self, units):
        self.units = units
        self.variables = []

    def __call__(self, x):
        if not self.variables:
            self.variables = [tf.Variable(tf.random.normal([x.shape[1], self.units]) * 0.1)]
        return tf.matmul(x, self.variables[0])


layer = Dense(3)
weights = layer.variables  # cause
x = np.ones((4, 2), dtype="float32")
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(layer(x) ** 2)
grads = tape.gradient(loss, weights)  # cause
print(grads)
