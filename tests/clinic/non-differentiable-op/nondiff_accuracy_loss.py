import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = rng.normal(size=(12, 4)).astype("float32")
labels = tf.constant(rng.integers(0, 3, size=12))
w = tf.Variable(rng.normal(size=(4, 3)).astype("float32"))


def accuracy(logits):
    guess = tf.argmax(logits, axis=1)  # cause
    return tf.reduce_mean(tf.cast(guess == labels, tf.float32))  # cause


with tf.GradientTape() as tape:
    loss = 1.0 - accuracy(x @ w)
print(tape.gradient(loss, w))
