"""The start token has the id that follows the last row of the embedding."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(59)
VOCAB = 10
START = VOCAB
table = tf.Variable(rng.normal(0, 0.3, (VOCAB, 4)).astype("float32"))
cell = tf.Variable(rng.normal(0, 0.3, (4 + 5, 5)).astype("float32"))
out = tf.Variable(rng.normal(0, 0.3, (5, VOCAB)).astype("float32"))
sentences = rng.integers(0, VOCAB, size=(3, 4))


def shifted(tokens):
    return np.concatenate([np.full((len(tokens), 1), START), tokens[:, :-1]], axis=1)


def loss_of(tokens):
    inputs = tf.nn.embedding_lookup(table, shifted(tokens))  # cause
    h, losses = tf.zeros((len(tokens), 5)), []
    for t in range(tokens.shape[1]):
        h = tf.tanh(tf.concat([inputs[:, t], h], 1) @ cell)
        losses.append(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tokens[:, t], logits=h @ out))
    return tf.reduce_mean(tf.stack(losses))


with tf.GradientTape() as tape:
    loss = loss_of(sentences)
print(loss.numpy(), [g.shape for g in tape.gradient(loss, [cell, out])])
