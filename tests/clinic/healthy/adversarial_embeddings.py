"""Adversarial training of embeddings: the perturbation is a gradient taken before, and added to the embedding inside the tape."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(30)
table = tf.Variable(rng.normal(0, 0.3, (20, 6)).astype("float32"))
wo = tf.Variable(rng.normal(0, 0.3, (6, 2)).astype("float32"))


def logits(e):
    return tf.reduce_mean(e, 1) @ wo


def ce(e, y):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits(e)))


for step in range(3):
    ids, y = rng.integers(0, 20, (8, 5)), rng.integers(0, 2, 8)
    with tf.GradientTape() as t:
        e = tf.gather(table, ids)
        t.watch(e)
        l = ce(e, y)
    d = t.gradient(l, e)
    r = 0.1 * d / (tf.norm(d, axis=-1, keepdims=True) + 1e-8)
    with tf.GradientTape() as t:
        e = tf.gather(table, ids)
        loss = ce(e, y) + ce(e + r, y)
    for v, g in zip((table, wo), t.gradient(loss, (table, wo))):
        v.assign_sub(0.5 * tf.convert_to_tensor(g))
    print(float(loss))
