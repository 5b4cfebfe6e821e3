import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
x = tf.constant(rng.normal(size=(12, 5)).astype("float32"))
y = tf.one_hot(rng.integers(0, 4, size=12), 4)
w = tf.Variable(rng.normal(size=(5, 4)).astype("float32"))


def cross_entropy(y, logits):
    p = tf.nn.softmax(logits, axis=0)  # cause
    return -tf.reduce_mean(tf.reduce_sum(y * tf.math.log(p + 1e-9), axis=1))


with tf.GradientTape() as tape:
    loss = cross_entropy(y, x @ w)
print("RESULT:", tf.norm(tape.gradient(loss, w)).numpy())
