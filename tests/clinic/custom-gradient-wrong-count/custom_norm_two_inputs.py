import numpy as np
import tensorflow as tf


@tf.custom_gradient
def scaled_tanh(x, scale):
    y = tf.tanh(x * scale)

    def backward(dy):
        slope = 1.0 - y ** 2
        return dy * slope * scale  # cause

    return y, backward


class Layer:
    def __init__(self, n):
        self.w = tf.Variable(np.full((n, n), 0.1, dtype="float32"))
        self.scale = tf.Variable(np.ones(n, dtype="float32"))

    def __call__(self, x):
        return scaled_tanh(x @ self.w, self.scale)


layers = [Layer(3), Layer(3)]
x = tf.constant([[1.0, 2.0, 3.0]])
with tf.GradientTape() as tape:
    for layer in layers:
        x = layer(x)
    loss = tf.reduce_sum(x ** 2)
variables = [v for layer in layers for v in (layer.w, layer.scale)]
grads = tape.gradient(loss, variables)
print("RESULT:", [g.numpy() for g in grads])
