import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
x = np.array([[1.0, 2.0], [3.0, 4.0]], dtype="float32")


def rmse(pred, truth):
    return float(tf.sqrt(tf.reduce_mean((pred - truth) ** 2)))  # cause


class Fit:
    def __init__(self, metric):
        self.metric = metric

    def step(self):
        with tf.GradientTape() as tape:
            loss = self.metric(tf.linalg.matvec(x, w), tf.constant([1.0, 0.0]))
        return tape.gradient(loss, w)  # cause


print("RESULT:", Fit(rmse).step())
