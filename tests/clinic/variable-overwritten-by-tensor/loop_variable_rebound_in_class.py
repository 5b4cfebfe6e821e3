import numpy as np
import tensorflow as tf


class LinReg:
    def __init__(self):
        self.w = tf.Variable(np.zeros((2, 1), "float32"))
        self.b = tf.Variable(np.zeros(1, "float32"))

    def loss(self, x, y):
        return tf.reduce_mean((x @ self.w + self.b - y) ** 2)

    def fit(self, x, y, steps):
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = self.loss(x, y)
            dw, db = tape.gradient(loss, [self.w, self.b])
            self.w = self.w - 0.1 * dw  # cause
            self.b = self.b - 0.1 * db  # cause
        return loss


rng = np.random.default_rng(0)
x = rng.normal(size=(9, 2)).astype("float32")
print("RESULT:", LinReg().fit(x, x[:, :1], 3))
