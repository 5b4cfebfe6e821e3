import numpy as np
import tensorflow as tf

rng = np.random.default_rng(29)


class Embedding:
    def __init__(self, table, trainable):
        self.table = tf.Variable(table, trainable=trainable, name="table")  # cause

    def __call__(self, ids):
        return tf.nn.embedding_lookup(self.table, ids)


class Classifier:
    def __init__(self, vectors, finetune=False):
        self.embedding = Embedding(vectors, trainable=finetune)
        self.w = tf.Variable(rng.normal(0, 0.1, (3, 2)).astype("float32"), name="w")

    @property
    def weights(self):
        return [self.embedding.table, self.w]

    def __call__(self, ids):
        return tf.reduce_mean(self.embedding(ids), axis=1) @ self.w


model = Classifier(rng.normal(size=(7, 3)).astype("float32"))
ids, labels = tf.constant([[1, 2], [3, 4]]), tf.constant([0, 1])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(ids)))
grads = tape.gradient(loss, model.weights)
print("RESULT:", grads[0])
