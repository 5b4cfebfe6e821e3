import numpy as np
import tensorflow as tf

rng = np.random.default_rng(41)
w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
x = rng.normal(size=(12, 3)).astype("float32")
y = rng.normal(size=(12, 1)).astype("float32")


def epoch_loss():
    losses = []
    for i in range(0, 12, 4):
        error = x[i : i + 4] @ w - y[i : i + 4]
        losses.append(tf.reduce_mean(error ** 2))
    return np.mean(losses)  # cause


with tf.GradientTape() as tape:
    loss = epoch_loss()
grad = tape.gradient(loss, w)  # cause
print("RESULT:", grad)
