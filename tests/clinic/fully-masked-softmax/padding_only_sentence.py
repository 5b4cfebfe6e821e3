import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
lengths = np.array([3, 0, 2])
tokens = tf.constant(rng.normal(size=(3, 4, 6)).astype("float32"))
query = tf.Variable(rng.normal(size=(6,)).astype("float32"))


class AttentionPool:
    def __init__(self, query):
        self.query = query

    def __call__(self, x, lengths):
        mask = tf.sequence_mask(lengths, 4)
        scores = tf.einsum("btd,d->bt", x, self.query)
        scores = tf.where(mask, scores, -np.inf)
        alpha = tf.nn.softmax(scores)  # cause
        return tf.einsum("bt,btd->bd", alpha, x)


with tf.GradientTape() as tape:
    pooled = AttentionPool(query)(tokens, lengths)
    loss = tf.reduce_sum(pooled ** 2)
print("RESULT:", tape.gradient(loss, query).numpy())
