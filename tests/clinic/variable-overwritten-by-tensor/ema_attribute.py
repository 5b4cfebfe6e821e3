import numpy as np
import tensorflow as tf


class Linear(tf.Module):
    def __init__(self, rng):
        super().__init__()
        self.w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
        self.b = tf.Variable([0.0])

    def __call__(self, x):
        return x @ self.w + self.b


def weight_decay(layer, rate):
    layer.w = layer.w * (1.0 - rate)  # cause


rng = np.random.default_rng(9)
layer = Linear(rng)
x = tf.constant(rng.normal(size=(10, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(10, 1)).astype("float32"))
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((layer(x) - y) ** 2)
    dw, db = tape.gradient(loss, [layer.w, layer.b])
    if dw is None:
        break
    layer.w.assign_sub(0.1 * dw)
    layer.b.assign_sub(0.1 * db)
    weight_decay(layer, 0.01)
print("RESULT:", epoch, dw)
