"""A contrastive loss removes the diagonal with np.inf times the identity: 0 times inf is nan everywhere else."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(78)
pairs = tf.constant(rng.normal(size=(8, 5)).astype("float32"))
partner = tf.constant([1, 0, 3, 2, 5, 4, 7, 6])
projector = [tf.Variable(rng.normal(0, 0.5, s).astype("float32")) for s in [(5, 8), (8, 3)]]


def similarity(x, temperature=0.2):
    z = tf.math.l2_normalize(tf.nn.relu(x @ projector[0]) @ projector[1], axis=1)
    return z @ tf.transpose(z) / temperature


def info_nce(x):
    logits = similarity(x)
    n = logits.shape[0]
    logits = logits - np.inf * tf.eye(n)  # cause
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=partner, logits=logits))


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = info_nce(pairs)
    for v, g in zip(projector, tape.gradient(loss, projector)):
        v.assign_sub(0.1 * g)
    print(loss.numpy())
