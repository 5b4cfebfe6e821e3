import numpy as np
import tensorflow as tf

x = tf.constant(np.linspace(0, 300, 30).astype("float32")[:, None])
y = tf.constant(np.ones((30, 1), "float32"))
params = {"w": tf.Variable([[0.9]]), "b": tf.Variable([0.0])}


def negative_log_likelihood(p):
    eta = x @ p["w"] + p["b"]
    rate = tf.exp(eta)  # cause
    return tf.reduce_mean(rate - y * tf.math.log(rate))


with tf.GradientTape() as tape:
    nll = negative_log_likelihood(params)
print("RESULT:", tape.gradient(nll, params))
