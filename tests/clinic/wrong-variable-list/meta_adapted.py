import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)


class Model:
    def __init__(self, weights=None):
        self.weights = weights or [tf.Variable(rng.normal(0, 0.3, s).astype("float32")) for s in [(2, 5), (5, 1)]]

    def __call__(self, x):
        return tf.tanh(x @ self.weights[0]) @ self.weights[1]

    def clone(self):
        return Model([tf.Variable(w) for w in self.weights])


def adapt(model, x, y):
    fast = model.clone()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((fast(x) - y) ** 2)
    grads = tape.gradient(loss, model.weights)  # cause
    return fast, grads


x = tf.constant(rng.normal(size=(8, 2)).astype("float32"))
y = tf.constant(rng.normal(size=(8, 1)).astype("float32"))
print("RESULT:", adapt(Model(), x, y)[1])
