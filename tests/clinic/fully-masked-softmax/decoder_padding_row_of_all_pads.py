"""Attention over padded sentences; one sentence of the batch holds nothing but padding."""
import numpy as np
import tensorflow as tf

PAD = 0
tokens = tf.constant([[5, 2, 7, 0], [3, 0, 0, 0], [0, 0, 0, 0], [1, 6, 4, 2]])
tf.random.set_seed(3)
embedding = tf.Variable(tf.random.normal((8, 6), stddev=0.5))
weights = {name: tf.Variable(tf.random.normal((6, 6), stddev=0.4)) for name in ("q", "k", "v")}
head = tf.Variable(tf.random.normal((6, 2), stddev=0.4))
labels = tf.constant([0, 1, 0, 1])


def padding_mask(tokens):
    return tf.cast(tf.equal(tokens, PAD), tf.float32)[:, tf.newaxis, :]


def attend(x, mask):
    q, k, v = (tf.einsum("btd,de->bte", x, weights[name]) for name in ("q", "k", "v"))
    scores = tf.matmul(q, k, transpose_b=True) / tf.sqrt(6.0)
    scores = tf.where(mask > 0, tf.constant(-np.inf, tf.float32), scores)
    return tf.matmul(tf.nn.softmax(scores, axis=-1), v)  # cause


def logits(tokens):
    x = tf.nn.embedding_lookup(embedding, tokens)
    x = x + attend(x, padding_mask(tokens))
    return tf.reduce_mean(x, axis=1) @ head


sources = [embedding, head, *weights.values()]
with tf.GradientTape() as tape:
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits(tokens))
    loss = tf.reduce_mean(each)
for source, grad in zip(sources, tape.gradient(loss, sources)):
    print(source.shape, tf.reduce_any(tf.math.is_nan(tf.convert_to_tensor(grad))).numpy())
