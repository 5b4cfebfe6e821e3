import numpy as np
import tensorflow as tf

rng = np.random.default_rng(47)
x = rng.normal(size=(24, 5)).astype("float32")
y = rng.integers(0, 3, 24)
w = tf.Variable(tf.zeros([5, 3]))


def log_softmax(z):
    return z - tf.reduce_logsumexp(z, axis=0, keepdims=True)  # cause


def nll(logits, y):
    return -tf.reduce_mean(tf.gather(log_softmax(logits), y, batch_dims=1))


for _ in range(20):
    with tf.GradientTape() as tape:
        loss = nll(x @ w, y)
    w.assign_sub(0.5 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())
