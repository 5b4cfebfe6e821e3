import tensorflow as tf

heads, size = 2, 8
projection = tf.Variable(tf.random.normal([size, 3, heads, size // heads], seed=0))
words = tf.random.normal([4, 6, size], seed=1)
mask = tf.sequence_mask([6, 3, 4, 5], 6, dtype=tf.float32)

with tf.GradientTape() as tape:
    query, key, value = tf.unstack(tf.einsum("btc,cnhd->nbhtd", words, projection))
    logits = tf.matmul(query, key, transpose_b=True)
    hidden = (1.0 - mask) * -1e9
    weights = tf.nn.softmax(logits + hidden)  # cause
    loss = tf.reduce_mean(tf.matmul(weights, value) ** 2)
print("RESULT:", tape.gradient(loss, projection)[0, 0])
