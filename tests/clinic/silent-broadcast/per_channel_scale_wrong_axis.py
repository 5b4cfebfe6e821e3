import numpy as np
import tensorflow as tf

rng = np.random.default_rng(32)
x = rng.normal(size=(10, 1)).astype("float32")
y = tf.constant((3.0 * x + 1.0)[:, 0])
noise = tf.constant(rng.uniform(0.5, 1.5, 10).astype("float32"))
a, b = tf.Variable(0.0), tf.Variable(0.0)


def log_likelihood(prediction, truth, sigma):
    z = (truth - prediction) / sigma  # cause
    return -0.5 * z ** 2 - tf.math.log(sigma)


def model(x):
    return a * x + b


for i in range(50):
    with tf.GradientTape() as tape:
        nll = -tf.reduce_mean(log_likelihood(model(x), y, noise))
    ga, gb = tape.gradient(nll, [a, b])
    a.assign_sub(0.1 * ga)
    b.assign_sub(0.1 * gb)
print("RESULT:", a.numpy(), b.numpy())
