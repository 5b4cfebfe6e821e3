"""SimCLR: embeddings are normalised along the batch."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
w1 = tf.Variable(rng.normal(0, 0.3, (8, 16)).astype("float32"))
w2 = tf.Variable(rng.normal(0, 0.3, (16, 6)).astype("float32"))


def augment(x):
    return x + tf.random.normal(tf.shape(x), stddev=0.1)


def project(x):
    h = tf.nn.relu(x @ w1)
    return tf.math.l2_normalize(h @ w2, axis=0)  # cause


def nt_xent(za, zb, temperature=0.5):
    z = tf.concat([za, zb], axis=0)
    n = tf.shape(za)[0]
    sim = tf.matmul(z, z, transpose_b=True) / temperature
    sim -= 1e9 * tf.eye(2 * n)
    positives = tf.concat([tf.range(n, 2 * n), tf.range(n)], axis=0)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=positives, logits=sim))


x = tf.constant(rng.normal(size=(10, 8)).astype("float32"))
for step in range(3):
    with tf.GradientTape() as tape:
        loss = nt_xent(project(augment(x)), project(augment(x)))
    for v, g in zip((w1, w2), tape.gradient(loss, (w1, w2))):
        v.assign_sub(0.5 * g)
    print(step, loss.numpy())
