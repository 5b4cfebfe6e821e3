"""A graph network normalises by degree ** -0.5; one node has no edges."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(57)
N = 6
edges = np.zeros((N, N), "float32")
for a, b in [(0, 1), (1, 2), (2, 4), (0, 4)]:
    edges[a, b] = edges[b, a] = 1.0
edges[5, 5] = 1.0
adjacency = tf.constant(edges)
features = tf.constant(rng.normal(size=(N, 3)).astype("float32"))
target = tf.constant(rng.integers(0, 2, N))
W = [tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for s in [(3, 5), (5, 2)]]


def normalised(adjacency):
    degree = tf.reduce_sum(adjacency, axis=1)
    scale = tf.pow(degree, -0.5)  # cause
    return scale[:, None] * adjacency * scale[None, :]


def gcn(x):
    a = normalised(adjacency)
    return a @ (tf.nn.relu(a @ (x @ W[0])) @ W[1])


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=gcn(features)))
    for w, g in zip(W, tape.gradient(loss, W)):
        w.assign_sub(0.1 * g)
    print(loss.numpy())
