"""Gradients of an embedding are made dense, added up, clipped together and applied every second batch."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(92)
table = tf.Variable(rng.normal(0, 0.2, (12, 4)).astype("float32"))
out = tf.Variable(rng.normal(0, 0.2, (4, 3)).astype("float32"))
variables = [table, out]
total = [tf.zeros_like(v) for v in variables]
for batch in range(4):
    tokens, labels = rng.integers(0, 12, (6, 5)), rng.integers(0, 3, 6)
    with tf.GradientTape() as tape:
        logits = tf.reduce_mean(tf.nn.embedding_lookup(table, tokens), axis=1) @ out
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    grads = tape.gradient(loss, variables)
    total = [t + tf.convert_to_tensor(g) / 2.0 for t, g in zip(total, grads)]
    if batch % 2 == 1:
        clipped, norm = tf.clip_by_global_norm(total, 0.5)
        for v, g in zip(variables, clipped):
            v.assign_sub(0.5 * g)
        total = [tf.zeros_like(v) for v in variables]
        print(batch, loss.numpy(), norm.numpy())
