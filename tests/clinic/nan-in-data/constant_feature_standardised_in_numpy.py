"""Features are standardised with NumPy; one of them never changes, and becomes nan."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(112)
raw = rng.normal(size=(25, 4)).astype("float32")
raw[:, 1] = 3.0
price = rng.normal(size=(25, 1)).astype("float32")


def standardise(data):
    with np.errstate(all="ignore"):
        return (data - data.mean(axis=0)) / data.std(axis=0)


class Regressor:
    def __init__(self):
        self.w = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
        self.b = tf.Variable(tf.zeros(1))

    def predict(self, x):
        return tf.matmul(x, self.w) + self.b  # cause


x = standardise(raw)
model = Regressor()
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model.predict(tf.constant(x)) - price) ** 2)  # cause
    dw, db = tape.gradient(loss, [model.w, model.b])
    model.w.assign_sub(0.1 * dw)
    model.b.assign_sub(0.1 * db)
    print(loss.numpy())
