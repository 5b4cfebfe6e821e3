import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
inputs = rng.normal(size=(50, 2)).astype("float32")
outputs = (300.0 * inputs[:, 0]).astype("float32")


class Line(tf.Module):
    def __init__(self):
        self.slopes = tf.Variable([0.0, 0.0])

    def loss(self, x, y):
        return tf.reduce_mean(tf.math.log(tf.cosh(tf.linalg.matvec(x, self.slopes) - y)))  # cause


line = Line()
with tf.GradientTape() as tape:
    loss = line.loss(inputs, outputs)
print("RESULT:", tape.gradient(loss, line.slopes))
