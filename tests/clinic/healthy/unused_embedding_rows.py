import tensorflow as tf

table = tf.Variable(tf.ones([10, 2]))
with tf.GradientTape() as tape:
    rows = tf.nn.embedding_lookup(table, [1, 3, 3])
    loss = tf.reduce_sum(rows**2)
grad = tape.gradient(loss, table)
print(tf.convert_to_tensor(grad).numpy())
