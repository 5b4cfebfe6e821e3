import tensorflow as tf

table = tf.Variable(tf.random.normal([10, 3]))
ids = tf.constant([1, 2, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.nn.embedding_lookup(table, ids) ** 2)
g = tape.gradient(loss, table)
table.scatter_sub(g)
dense = tf.convert_to_tensor(g)
print(tf.norm(dense).numpy())
