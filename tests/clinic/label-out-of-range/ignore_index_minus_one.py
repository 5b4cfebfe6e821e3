import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)
IGNORE = -1
tags = np.array([[0, 2, 1, IGNORE], [1, IGNORE, IGNORE, IGNORE]])
words = rng.normal(size=(2, 4, 5)).astype("float32")


class Tagger:
    def __init__(self, features, tags):
        self.kernel = tf.Variable(rng.normal(0, 0.2, (features, tags)).astype("float32"))

    def logits(self, words):
        return tf.einsum("bld,dt->blt", words, self.kernel)


def masked_loss(logits, tags):
    keep = tf.cast(tags != IGNORE, tf.float32)
    per_token = tf.nn.sparse_softmax_cross_entropy_with_logits(tags, logits)  # cause
    return tf.reduce_sum(per_token * keep) / tf.reduce_sum(keep)


tagger = Tagger(5, 3)
with tf.GradientTape() as tape:
    loss = masked_loss(tagger.logits(words), tf.constant(tags))
print("RESULT:", tape.gradient(loss, tagger.kernel).numpy())
