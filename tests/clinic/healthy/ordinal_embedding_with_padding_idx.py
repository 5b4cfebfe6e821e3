import numpy as np
import tensorflow as tf

rng = np.random.default_rng(35)
PAD = 0
docs = [[4, 2, 7], [1], [3, 3, 5, 6], [2, 8]]
width = max(map(len, docs))
ids = tf.constant([d + [PAD] * (width - len(d)) for d in docs])
labels = tf.constant([[1.0], [0.0], [1.0], [0.0]])
table = tf.Variable(rng.normal(0, 0.2, (9, 4)).astype("float32"))
table[PAD].assign(tf.zeros(4))
w, b = tf.Variable(rng.normal(0, 0.2, (4, 1)).astype("float32")), tf.Variable([0.0])


def encode(ids):
    vectors = tf.nn.embedding_lookup(table, ids)
    mask = tf.cast(tf.not_equal(ids, PAD), tf.float32)[:, :, tf.newaxis]
    return tf.reduce_sum(vectors * mask, 1) / tf.maximum(tf.reduce_sum(mask, 1), 1.0)


for epoch in range(20):
    with tf.GradientTape() as tape:
        logits = encode(ids) @ w + b
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    g_table, g_w, g_b = tape.gradient(loss, [table, w, b])
    table.scatter_sub(tf.IndexedSlices(0.5 * g_table.values, g_table.indices))
    w.assign_sub(0.5 * g_w)
    b.assign_sub(0.5 * g_b)
predictions = tf.cast(tf.sigmoid(encode(ids) @ w + b) > 0.5, tf.float32)
print("RESULT:", loss.numpy(), float(tf.reduce_mean(tf.cast(predictions == labels, tf.float32))))
