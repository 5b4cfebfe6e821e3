import numpy as np
import tensorflow as tf

rng = np.random.default_rng(31)
w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
x1, x2 = rng.normal(size=(2, 6, 3)).astype("float32")
y1, y2 = rng.normal(size=(2, 6, 1)).astype("float32")


def mse(w, x, y):
    return tf.reduce_mean((x @ w - y) ** 2)


for i in range(3):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(w)
            a = mse(w, x1, y1)
        adapted = w - 0.1 * tf.stop_gradient(inner.gradient(a, w))
        b = mse(adapted, x2, y2)
    w.assign_sub(0.1 * outer.gradient(b, w))
print("RESULT:", w.numpy().ravel())
