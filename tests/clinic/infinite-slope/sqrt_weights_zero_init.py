import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
x = np.abs(rng.normal(size=(10, 3))).astype("float32")
y = np.sqrt(x.sum(axis=1, keepdims=True)).astype("float32")
w = tf.Variable(tf.zeros([3, 1]))


def activation(z):
    return tf.pow(z, 0.5)  # cause


def model(x):
    return activation(tf.matmul(x, w))


history = []
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grad = tape.gradient(loss, w)
    w.assign_sub(0.01 * grad)
    history.append(float(loss))
print("RESULT:", history, w.numpy().ravel())
