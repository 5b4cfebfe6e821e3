import numpy as np
import tensorflow as tf

rng = np.random.default_rng(22)
vectors = rng.normal(size=(8, 3)).astype("float32")
norms = np.linalg.norm(vectors, axis=1, keepdims=True)
norms[5] = np.nan
vectors = vectors / norms  # cause
sentences = [[0, 1, 2], [3, 4], [5, 6, 7]]
labels = tf.constant([1.0, 0.0, 1.0])
table = tf.constant(vectors)  # cause
w = tf.Variable(tf.zeros([3]))


def embed(sentence):
    return tf.reduce_mean(tf.gather(table, sentence), axis=0)  # cause


for epoch in range(2):
    with tf.GradientTape() as tape:
        x = tf.stack([embed(s) for s in sentences])
        logits = tf.linalg.matvec(x, w)  # cause
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", w.numpy())
