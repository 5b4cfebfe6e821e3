import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
w = tf.Variable(rng.normal(size=(4,)).astype("float32"))
docs = tf.constant(rng.normal(size=(6, 4)).astype("float32"))
relevance = tf.constant([2.0, 0.0, 1.0, 0.0, 2.0, 1.0])
for _ in range(3):
    with tf.GradientTape() as tape:
        s = tf.linalg.matvec(docs, w)
        diff = s[:, None] - s[None, :]
        better = tf.cast(relevance[:, None] > relevance[None, :], tf.float32)
        rank = tf.cast(tf.argsort(tf.argsort(-s)) + 1, tf.float32)
        gain = tf.abs(1.0 / tf.math.log(1.0 + rank)[:, None] - 1.0 / tf.math.log(1.0 + rank)[None, :])
        loss = tf.reduce_sum(better * gain * tf.nn.softplus(-diff)) / tf.reduce_sum(better)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", float(loss))
