import numpy as np
import tensorflow as tf


class Field:
    def __init__(self):
        self.a = tf.Variable(0.7)

    def u(self, t):
        return tf.sin(self.a * t)

    def slope(self, t):
        with tf.GradientTape() as tape:
            tape.watch(t)
            value = self.u(t)
        return tape.gradient(value, t)  # cause


field = Field()
t = tf.constant(np.linspace(0, 1, 5).astype("float32"))
du = field.slope(t)  # cause
with tf.GradientTape() as tape:
    residual = tf.reduce_mean((du - 1.0) ** 2)
print(tape.gradient(residual, field.a))
