import tensorflow as tf

left, right = (tf.Variable(tf.random.normal([6, 12], seed=i) * 0.2) for i in range(2))
head = tf.Variable(tf.random.normal([24, 3], seed=2) * 0.2)
x = tf.random.normal([10, 6], seed=3)


def both_branches(x):
    merged = tf.concat([x @ left, x @ right], 0)  # cause
    return tf.nn.relu(merged)


with tf.GradientTape() as tape:
    logits = tf.matmul(both_branches(x), head)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.zeros([10], tf.int32), logits))
print("RESULT:", tape.gradient(loss, head)[0])
