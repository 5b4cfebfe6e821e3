import numpy as np
import tensorflow as tf

x = tf.Variable(np.random.default_rng(2).normal(size=(5, 3)).astype("float32"))
with tf.GradientTape() as tape:
    sq = tf.reduce_sum(x * x, axis=1, keepdims=True)
    d2 = sq + tf.transpose(sq) - 2.0 * tf.matmul(x, x, transpose_b=True)
    loss = tf.reduce_mean(tf.sqrt(tf.maximum(d2, 0.0) + 1e-9))
print(tape.gradient(loss, x).numpy())
