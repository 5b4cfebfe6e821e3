import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
x = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
labels = tf.constant([0, 2, 1, 1, 0, 2])
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))


def nll(logits, labels):
    log_p = tf.nn.log_softmax(logits)
    return -tf.reduce_mean(tf.gather(log_p, labels, axis=1))  # cause


with tf.GradientTape() as tape:
    loss = nll(x @ w, labels)
print("RESULT:", tape.gradient(loss, w).numpy())
