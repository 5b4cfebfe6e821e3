import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
series = np.sin(np.arange(24) / 3.0).astype("float32")
series[17] = np.nan  # cause


def windows(s, width):
    x = np.stack([s[i : i + width] for i in range(len(s) - width)])  # cause
    return x, s[width:, None]  # cause


x, y = windows(series, 4)  # cause
w = tf.Variable(rng.normal(0, 0.1, (4, 1)).astype("float32"))
for epoch in range(3):
    for i in range(0, len(x), 5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x[i : i + 5] @ w - y[i : i + 5]) ** 2)  # cause
        w.assign_sub(0.05 * tape.gradient(loss, w))
print("RESULT:", w.numpy().ravel())
