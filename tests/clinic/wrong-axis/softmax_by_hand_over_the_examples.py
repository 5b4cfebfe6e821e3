import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
x = rng.normal(size=(40, 4)).astype("float32")
labels = (x[:, 0] > 0).astype(int) + (x[:, 1] > 0)
onehot = np.eye(3, dtype="float32")[labels]
W = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))
b = tf.Variable(tf.zeros(3))


def softmax(z):
    e = tf.exp(z - tf.reduce_max(z))
    return e / tf.reduce_sum(e, axis=0)  # cause


def cross_entropy(p):
    return -tf.reduce_mean(tf.reduce_sum(onehot * tf.math.log(p + 1e-9), axis=1))


for epoch in range(20):
    with tf.GradientTape() as tape:
        loss = cross_entropy(softmax(x @ W + b))
    gW, gb = tape.gradient(loss, [W, b])
    W.assign_sub(0.5 * gW)
    b.assign_sub(0.5 * gb)
print(float(loss))
