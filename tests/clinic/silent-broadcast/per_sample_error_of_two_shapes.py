import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
x = tf.constant(rng.normal(size=(6, 2)).astype("float32"))
y = rng.normal(size=6).astype("float32")


class Line:
    def __init__(self):
        self.w = tf.Variable([[0.5], [0.5]])
        self.b = tf.Variable([0.0])

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b


def mse(y_true, y_pred):
    return tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)  # cause


model = Line()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(mse(y, model(x)))
print(tape.gradient(loss, [model.w, model.b]))
