"""Features in years and square metres, a learning rate for scaled ones."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
year = rng.uniform(1950, 2020, 60)
area = rng.uniform(40, 200, 60)
price = 2.0 * area + 0.5 * (year - 1950) + rng.normal(0, 5, 60)
x = tf.constant(np.stack([year, area], 1).astype("float32"))
y = tf.constant(price[:, None].astype("float32"))


class LinearModel:
    def __init__(self):
        self.weight = tf.Variable(tf.zeros((2, 1)))
        self.bias = tf.Variable(tf.zeros(1))

    def __call__(self, x):
        return x @ self.weight + self.bias


def mse(a, b):
    return tf.reduce_mean(tf.square(a - b))  # cause


model = LinearModel()
for epoch in range(40):
    with tf.GradientTape() as tape:
        loss = mse(model(x), y)
    dw, db = tape.gradient(loss, [model.weight, model.bias])
    model.weight.assign_sub(0.01 * dw)  # cause
    model.bias.assign_sub(0.01 * db)
print(loss.numpy(), model.weight.numpy())
