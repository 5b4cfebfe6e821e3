"""Adversarial training on text: the gradient is asked for embeddings that the model looks up a second time."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(54)
tokens = tf.constant(rng.integers(0, 12, size=(5, 4)))
labels = tf.constant(rng.integers(0, 2, 5))


class Classifier:
    def __init__(self):
        self.table = tf.Variable(rng.normal(0, 0.4, (12, 6)).astype("float32"))
        self.out = tf.Variable(rng.normal(0, 0.4, (6, 2)).astype("float32"))

    def embed(self, tokens):
        return tf.nn.embedding_lookup(self.table, tokens)

    def logits(self, tokens, noise=0.0):
        return tf.reduce_mean(tf.tanh(self.embed(tokens) + noise), axis=1) @ self.out


model = Classifier()


def direction(tokens):
    with tf.GradientTape() as tape:
        embedded = model.embed(tokens)  # cause
        loss = tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=model.logits(tokens))
        )
    return tape.gradient(loss, embedded)


g = direction(tokens)
if g is None:
    print("nothing to perturb")
