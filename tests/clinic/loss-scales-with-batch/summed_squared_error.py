import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
x = rng.normal(size=(400, 2)).astype("float32")
y = x @ np.array([1.0, -2.0], dtype="float32")
w, b = tf.Variable(tf.zeros(2)), tf.Variable(0.0)


def loss_fn(prediction, target):
    return tf.reduce_sum(tf.square(prediction - target))  # cause


def train_step(rate):
    with tf.GradientTape() as tape:
        loss = loss_fn(tf.linalg.matvec(x, w) + b, y)
    for variable, g in zip([w, b], tape.gradient(loss, [w, b])):
        variable.assign_sub(rate * g)
    return loss


for epoch in range(80):
    loss = train_step(0.01)
print(loss)
