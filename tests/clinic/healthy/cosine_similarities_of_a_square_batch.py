import tensorflow as tf
x = tf.Variable([[0.5, -0.5], [1.0, 0.3]])
with tf.GradientTape() as tape:
    n = x / tf.norm(x, axis=1, keepdims=True)
    sim = n @ tf.transpose(n)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 1], logits=sim / 0.1))
print(tape.gradient(loss, x))
