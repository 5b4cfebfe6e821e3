import numpy as np
import tensorflow as tf


class Pricing:
    def __init__(self):
        self.base = tf.Variable(1.0)
        self.rebate = tf.Variable(0.3)

    def __call__(self, volume, loyal):
        price = self.base * volume
        if loyal:  # cause
            price = price - self.rebate * volume ** 2  # cause
        return price


volume = np.array([1.0, 2.0, 3.0], dtype="float32")
model = Pricing()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(volume, loyal=False) - 2.0) ** 2)
print(tape.gradient(loss, [model.base, model.rebate]))
