"""Per-example losses are the target: their gradients are summed, and the rate fits a mean."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
X = (rng.normal(size=(512, 12)) * 2).astype("float32")
Y = (X @ rng.normal(size=(12, 1))).astype("float32")


class Linear(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.zeros((12, 1)))
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return x @ self.w + self.b


model = Linear()


def squared_errors(x, y):
    return tf.reduce_mean((model(x) - y) ** 2, axis=-1)


for epoch in range(40):
    with tf.GradientTape() as tape:
        losses = squared_errors(X, Y)
    dw, db = tape.gradient(losses, [model.w, model.b])  # cause
    model.w.assign_sub(0.05 * dw)
    model.b.assign_sub(0.05 * db)
print(float(tf.reduce_mean(losses)))
