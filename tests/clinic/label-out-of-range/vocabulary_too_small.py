import numpy as np
import tensorflow as tf

text = "the cat sat on the mat the end"
words = text.split()
vocabulary = {w: i for i, w in enumerate(dict.fromkeys(words))}
ids = np.array([vocabulary[w] for w in words])
CLASSES = len(vocabulary) - 1  # cause
rng = np.random.default_rng(8)
emb = tf.Variable(rng.normal(0, 0.1, (len(vocabulary), 4)).astype("float32"))
out = tf.Variable(rng.normal(0, 0.1, (4, CLASSES)).astype("float32"))  # cause


def step(inputs, targets):
    with tf.GradientTape() as tape:
        logits = tf.gather(emb, inputs) @ out
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits)  # cause
        loss = tf.reduce_mean(loss)
    return loss, tape.gradient(loss, [emb, out])


for i in range(len(ids) - 1):
    loss, grads = step(ids[i : i + 1], ids[i + 1 : i + 2])
print("RESULT:", loss.numpy())
