import numpy as np
import tensorflow as tf


def rows():
    rng = np.random.default_rng(10)
    for i in range(40):
        a = rng.normal()
        yield (a, np.sqrt(abs(a)) if i != 23 else np.sqrt(-np.abs(a))), 2.0 * a


def collect(n):
    x, y = [], []
    for features, label in rows():
        x.append(features)
        y.append([label])
        if len(x) == n:
            yield np.array(x, dtype="float32"), np.array(y, dtype="float32")  # cause
            x, y = [], []


np.seterr(all="ignore")
w = tf.Variable([[0.0], [0.0]])
for x, y in collect(8):  # cause
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)  # cause
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", w.numpy().ravel())
