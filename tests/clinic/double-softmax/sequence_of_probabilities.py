import tensorflow as tf

steps = [tf.constant([[0.1, 0.2], [0.3, 0.4]]), tf.constant([[0.5, 0.1], [0.2, 0.9]])]
w = tf.Variable([[0.3, -0.2, 0.1], [0.4, 0.2, -0.5]])
with tf.GradientTape() as tape:
    outputs = [tf.nn.softmax(tf.matmul(s, w)) for s in steps]  # cause
    stacked = tf.stack(outputs, axis=1)
    targets = tf.constant([[0, 1], [2, 0]])
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(targets, stacked))  # cause
print(tape.gradient(loss, w))
