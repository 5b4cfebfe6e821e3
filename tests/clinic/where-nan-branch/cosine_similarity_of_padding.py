import tensorflow as tf

table = tf.Variable([[0.0, 0.0, 0.0], [0.2, -0.1, 0.4], [0.5, 0.5, -0.3]])
tokens = tf.constant([[1, 2, 0], [2, 0, 0]])
query = tf.constant([0.1, 0.2, 0.3])


def cosine(a, b):
    dot = tf.reduce_sum(a * b, axis=-1)
    return dot / (tf.norm(a, axis=-1) * tf.norm(b, axis=-1))  # cause


with tf.GradientTape() as tape:
    vectors = tf.nn.embedding_lookup(table, tokens)
    similarity = cosine(vectors, query)
    loss = -tf.reduce_mean(tf.where(tokens > 0, similarity, 0.0))
print("RESULT:", tf.convert_to_tensor(tape.gradient(loss, table)))
