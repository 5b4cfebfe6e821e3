import tensorflow as tf

embeddings = tf.Variable(tf.ones([8, 3]))
dense = tf.Variable(tf.ones([3, 1]))
tokens = tf.constant([1, 2, 5])
with tf.GradientTape() as tape:
    vectors = tf.nn.embedding_lookup(embeddings, tokens)
    loss = tf.reduce_mean(tf.matmul(vectors, dense) ** 2)
grads = tape.gradient(loss, [embeddings, dense])
norms = [float(abs(g.numpy()).max()) for g in grads]  # cause
print(norms)
