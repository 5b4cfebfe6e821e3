import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
visits = np.array([10.0, 0.0, 5.0, 8.0], dtype="float32")
buys = np.array([2.0, 0.0, 1.0, 4.0], dtype="float32")


def conversion(b, v):
    with np.errstate(invalid="ignore"):
        return b / v  # cause


class Data:
    def __init__(self):
        self.x = np.stack([conversion(buys, visits), visits], axis=1)  # cause
        self.y = np.array([[1.0], [0.0], [1.0], [2.0]], dtype="float32")


data = Data()
w = tf.Variable([[0.1], [0.2]])
losses = []
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.matmul(data.x, w) - data.y) ** 2)  # cause
    w.assign_sub(0.01 * tape.gradient(loss, w))
    losses.append(float(loss))
print("RESULT:", losses, w.numpy().ravel())
