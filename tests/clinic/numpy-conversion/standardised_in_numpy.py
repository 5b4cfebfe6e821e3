import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = tf.constant(rng.normal(size=(16, 4)).astype("float32"))
y = tf.constant(rng.normal(size=(16, 1)).astype("float32"))
w1 = tf.Variable(rng.normal(0, 0.5, (4, 8)).astype("float32"))
w2 = tf.Variable(rng.normal(0, 0.5, (8, 1)).astype("float32"))


def normalise(h):
    array = h.numpy()  # cause
    mean, deviation = array.mean(axis=0), array.std(axis=0)
    return (h - mean) / (deviation + 1e-5)


def train_step():
    with tf.GradientTape() as tape:
        hidden = tf.tanh(normalise(tf.matmul(x, w1)))
        loss = tf.reduce_mean((tf.matmul(hidden, w2) - y) ** 2)
    for v, g in zip([w1, w2], tape.gradient(loss, [w1, w2])):
        v.assign_sub(0.05 * g)
    return loss


for _ in range(3):
    print(float(train_step()))
