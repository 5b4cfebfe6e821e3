import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
x = rng.normal(size=(5, 7, 3)).astype("float32")
relevance = rng.integers(0, 4, (5, 7)).astype("float32")
w = tf.Variable(rng.normal(0, 0.3, (3,)).astype("float32"))
for _ in range(5):
    with tf.GradientTape() as tape:
        scores = tf.einsum("qdf,f->qd", x, w)
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(relevance), logits=scores))
    w.assign_sub(0.5 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())
