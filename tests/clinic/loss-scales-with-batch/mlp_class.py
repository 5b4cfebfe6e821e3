import numpy as np
import tensorflow as tf


class Regressor:
    def __init__(self, rng):
        self.w1 = tf.Variable(rng.normal(0, 0.5, size=(4, 16)).astype("float32"))
        self.w2 = tf.Variable(rng.normal(0, 0.5, size=(16, 1)).astype("float32"))

    @property
    def variables(self):
        return [self.w1, self.w2]

    def __call__(self, x):
        return tf.matmul(tf.nn.relu(tf.matmul(x, self.w1)), self.w2)


def squared_error(prediction, target):
    return tf.reduce_sum(tf.square(prediction - target))  # cause


def fit(model, x, y, lr=0.01, epochs=40):
    for _ in range(epochs):
        with tf.GradientTape() as tape:
            loss = squared_error(model(x), y)
        grads = tape.gradient(loss, model.variables)
        for v, g in zip(model.variables, grads):
            v.assign_sub(lr * g)  # cause
    return grads


rng = np.random.default_rng(6)
x = rng.normal(size=(1000, 4)).astype("float32")
y = (np.sin(x[:, :1]) + x[:, 1:2]).astype("float32")
grads = fit(Regressor(rng), x, y)
print("RESULT:", [float(tf.norm(g)) for g in grads])
