import numpy as np
import tensorflow as tf

lengths = tf.constant([2, 0, 3])
mask = tf.sequence_mask(lengths, 3)
h = tf.Variable(np.random.default_rng(0).normal(size=(3, 3, 2)).astype("float32"))
v = tf.Variable([0.5, -0.5])
with tf.GradientTape() as tape:
    score = tf.tensordot(h, v, 1)
    neg_inf = tf.fill(tf.shape(score), -np.inf)
    score = tf.where(mask, score, tf.cast(neg_inf, tf.float32))
    alpha = tf.nn.softmax(score, axis=1)  # cause
    ctx = tf.einsum("bt,btd->bd", alpha, h)
    loss = tf.reduce_sum(ctx)
print(tape.gradient(loss, [h, v]))
