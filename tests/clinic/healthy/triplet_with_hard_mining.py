import numpy as np
import tensorflow as tf

rng = np.random.default_rng(39)
labels = tf.constant([0, 0, 1, 1, 2, 2])
x = tf.constant(rng.normal(size=(6, 5)).astype("float32"))
w = tf.Variable(rng.normal(0, 0.4, (5, 2)).astype("float32"))


def pairwise(e):
    dot = tf.matmul(e, e, transpose_b=True)
    sq = tf.linalg.diag_part(dot)
    d2 = tf.maximum(sq[None, :] - 2.0 * dot + sq[:, None], 0.0)
    zero = tf.cast(tf.equal(d2, 0.0), tf.float32)
    return tf.sqrt(d2 + zero * 1e-16) * (1.0 - zero)


same = tf.equal(labels[None, :], labels[:, None])
for _ in range(5):
    with tf.GradientTape() as tape:
        d = pairwise(x @ w)
        positive = tf.reduce_max(tf.where(same, d, tf.zeros_like(d)), axis=1)
        negative = tf.reduce_min(tf.where(same, d + tf.reduce_max(d), d), axis=1)
        loss = tf.reduce_mean(tf.maximum(positive - negative + 0.2, 0.0))
    w.assign_sub(0.05 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())
