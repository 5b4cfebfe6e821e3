import io

import numpy as np
import tensorflow as tf

RAW = "21.5,40\n22.0,41\n,39\n23.1,38\n22.7,40\n"


def read(raw):
    return np.genfromtxt(io.StringIO(raw), delimiter=",", dtype="float32")  # cause


def standardise(a):
    return (a - np.nanmean(a, axis=0)) / np.nanstd(a, axis=0)  # cause


data = standardise(read(RAW))  # cause
x, y = data[:, :1], data[:, 1:]  # cause
w, b = tf.Variable([[0.1]]), tf.Variable([0.0])
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.matmul(x, w) + b - y) ** 2)  # cause
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * gw)
    b.assign_sub(0.1 * gb)
print("RESULT:", w.numpy(), b.numpy())
