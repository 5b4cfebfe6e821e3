import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
x = rng.normal(size=(6, 5)).astype("float32")
w = tf.Variable(rng.normal(size=(5, 3)).astype("float32"))
with tf.GradientTape() as tape:
    z = tf.math.l2_normalize(tf.matmul(x, w), axis=0)  # cause
    similarity = tf.matmul(z, z, transpose_b=True)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.range(6), similarity * 5.0))
print(tape.gradient(loss, w).numpy())
