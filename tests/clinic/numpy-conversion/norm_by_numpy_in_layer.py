import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)


class UnitLinear(tf.Module):
    def __init__(self, n, m):
        super().__init__()
        self.v = tf.Variable(rng.normal(size=(n, m)).astype("float32"))
        self.g = tf.Variable(np.ones(m, "float32"))

    def __call__(self, x):
        length = np.linalg.norm(self.v.numpy(), axis=0)  # cause
        return x @ (self.g * self.v / length)


layer = UnitLinear(5, 2)
x, y = rng.normal(size=(12, 5)).astype("float32"), rng.normal(size=(12, 2)).astype("float32")
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((layer(x) - y) ** 2)
    grads = tape.gradient(loss, layer.trainable_variables)
    for v, g in zip(layer.trainable_variables, grads):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
