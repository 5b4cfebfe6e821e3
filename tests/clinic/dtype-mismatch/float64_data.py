import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
data = {"x": tf.constant(rng.normal(size=(6, 3))), "y": tf.constant(rng.normal(size=(6, 1)))}  # cause
w = tf.Variable(tf.random.normal([3, 1]))


def loss_fn(data):
    prediction = tf.matmul(data["x"], w)  # cause
    return tf.reduce_mean((prediction - data["y"]) ** 2)


with tf.GradientTape() as tape:
    loss = loss_fn(data)
print("RESULT:", tape.gradient(loss, w).numpy())
