import numpy as np
import tensorflow as tf

readings = {"temp": np.array([20.1, 21.3, np.nan, 22.8], "float32"), "load": np.array([0.3, 0.4, 0.5, 0.7], "float32")}  # cause
a, b = tf.Variable(0.1), tf.Variable(0.0)


def fit(data):
    x = tf.constant(data["temp"])  # cause
    return tf.reduce_mean((a * x + b - data["load"]) ** 2)  # cause


with tf.GradientTape() as tape:
    loss = fit(readings)
print("RESULT:", [g.numpy() for g in tape.gradient(loss, [a, b])])
