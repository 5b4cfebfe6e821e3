import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
x = rng.normal(size=(40, 5)).astype("float32")
y = (x[:, :1] * 2).astype("float32")
w = tf.Variable(rng.normal(size=(5, 1)).astype("float32"))


def l1(v):
    return tf.reduce_sum(tf.abs(v))


def fit(steps, strength):
    penalty = strength * l1(w)  # cause
    for _ in range(steps):
        with tf.GradientTape() as tape:
            error = x @ w - y
            loss = tf.reduce_mean(error ** 2) + penalty
        w.assign_sub(0.05 * tape.gradient(loss, w))
    return w


print("RESULT:", fit(50, 0.5).numpy().ravel())
