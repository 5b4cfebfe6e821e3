import tensorflow as tf

table = tf.Variable(tf.random.normal([10, 4]))
tokens = tf.constant([[1, 4, 10]])  # cause
with tf.GradientTape() as tape:
    vectors = tf.nn.embedding_lookup(table, tokens)  # cause
    loss = tf.reduce_sum(vectors)
print(tape.gradient(loss, table))
