"""Padding is labelled -100, a habit from another library."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(22)
tokens = rng.integers(1, 9, size=(3, 6))
labels = np.roll(tokens, -1, axis=1)
labels[:, -1] = -100
table = tf.Variable(rng.normal(0, 0.3, (9, 5)).astype("float32"))
head = tf.Variable(rng.normal(0, 0.3, (5, 9)).astype("float32"))


def lm_loss(tokens, labels):
    h = tf.gather(table, tokens)
    context = tf.cumsum(h, axis=1) / tf.reshape(tf.range(1.0, 7.0), (1, 6, 1))
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=context @ head)  # cause
    keep = tf.cast(labels != -100, tf.float32)
    return tf.reduce_sum(each * keep) / tf.reduce_sum(keep)


with tf.GradientTape() as tape:
    loss = lm_loss(tf.constant(tokens), tf.constant(labels))
grads = tape.gradient(loss, [table, head])
head.assign_sub(0.1 * grads[1])
print(loss.numpy())
