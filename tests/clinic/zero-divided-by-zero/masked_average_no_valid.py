import numpy as np
import tensorflow as tf

rng = np.random.default_rng(50)
w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
batches = [rng.normal(size=(4, 3)).astype("float32") for _ in range(3)]
valid = [np.ones(4, "float32"), np.array([1, 0, 1, 0], "float32"), np.zeros(4, "float32")]


def masked_mean(values, mask):
    return tf.reduce_sum(values * mask) / tf.reduce_sum(mask)  # cause


def train():
    for x, m in zip(batches, valid):
        with tf.GradientTape() as tape:
            error = tf.squeeze(x @ w, 1) - 1.0
            loss = masked_mean(error ** 2, m)
        w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


print("RESULT:", train().numpy(), w.numpy().ravel())
