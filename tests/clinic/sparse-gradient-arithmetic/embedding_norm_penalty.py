import tensorflow as tf

table = tf.Variable(tf.random.normal([12, 4]))
w = tf.Variable(tf.random.normal([4, 1]))


def clip_norm(grads, limit):
    total = tf.sqrt(sum(tf.reduce_sum(g ** 2) for g in grads))  # cause
    return [g * tf.minimum(1.0, limit / total) for g in grads]


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.nn.embedding_lookup(table, [3, 7, 7]) @ w)
grads = clip_norm(tape.gradient(loss, [table, w]), 1.0)
print("RESULT:", grads)
