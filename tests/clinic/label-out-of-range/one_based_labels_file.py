import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)


def load():
    x = rng.normal(size=(12, 4)).astype("float32")
    species = np.array([1, 2, 3] * 4)
    return x, species


def batches(x, y, size):
    for i in range(0, len(x), size):
        yield x[i : i + size], y[i : i + size]


x, y = load()  # cause
w = tf.Variable(rng.normal(0, 0.1, (4, 3)).astype("float32"))
b = tf.Variable(tf.zeros(3))


def loss_fn(x, y):
    logits = x @ w + b
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))  # cause


for xb, yb in batches(x, y, 4):
    with tf.GradientTape() as tape:
        loss = loss_fn(xb, yb)
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * gw)
    b.assign_sub(0.1 * gb)
print("RESULT:", loss.numpy())
