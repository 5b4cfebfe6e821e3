import tensorflow as tf

tf.random.set_seed(1)
table = tf.Variable(tf.random.normal([10, 4]), trainable=False, name="table")  # cause
out = tf.Variable(tf.random.normal([4, 2]))
ids = tf.constant([[1, 2, 3], [4, 5, 6]])
labels = tf.constant([0, 1])


def model(ids):
    return tf.reduce_mean(tf.nn.embedding_lookup(table, ids), axis=1) @ out


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(ids)))
g_table, g_out = tape.gradient(loss, [table, out])
print("RESULT:", g_table)
