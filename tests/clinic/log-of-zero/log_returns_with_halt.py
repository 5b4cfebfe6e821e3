import numpy as np
import tensorflow as tf

prices = np.array([10.0, 10.5, 10.2, 0.0, 10.8], dtype="float32")
volume = np.array([3.0, 1.0, 2.0, 0.0, 2.0], dtype="float32")
weight = tf.Variable(1.0)


class Index:
    def __init__(self, prices, volume):
        self.level = tf.constant(prices * volume)

    def log_level(self, w):
        return tf.math.log(w * self.level)  # cause


index = Index(prices, volume)
with tf.GradientTape() as tape:
    returns = index.log_level(weight)[1:] - index.log_level(weight)[:-1]
    risk = tf.math.reduce_variance(returns)
print("RESULT:", risk.numpy(), tape.gradient(risk, weight).numpy())
