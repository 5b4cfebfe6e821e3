import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
x = rng.normal(size=(12, 2)).astype("float32")
y = (x[:, :1] > 0).astype("float32")
w = tf.Variable([[60.0], [0.0]])


def predict(x):
    return tf.sigmoid(x @ w * 10.0)


def nll(y, p):
    positive = y * tf.math.log(p)  # cause
    negative = (1.0 - y) * tf.math.log(1.0 - p)  # cause
    return -tf.reduce_mean(positive + negative)


for step in range(2):
    with tf.GradientTape() as tape:
        loss = nll(y, predict(x))
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", loss.numpy(), w.numpy().ravel())
