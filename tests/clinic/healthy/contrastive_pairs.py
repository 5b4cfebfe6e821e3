import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
a, b = (rng.normal(size=(6, 5)).astype("float32") for _ in range(2))
w = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))
with tf.GradientTape() as tape:
    za, zb = tf.math.l2_normalize(a @ w, axis=1), tf.math.l2_normalize(b @ w, axis=1)
    similarity = tf.matmul(za, zb, transpose_b=True) / 0.1
    labels = tf.range(6)
    forward = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, similarity)
    backward = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, tf.transpose(similarity))
    loss = tf.reduce_mean(forward + backward)
print(tape.gradient(loss, w).numpy())
