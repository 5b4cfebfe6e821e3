import tensorflow as tf

logits = tf.Variable(tf.zeros([3, 4]))
labels = tf.constant([0, -1, 2])  # cause
with tf.GradientTape() as tape:
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)  # cause
    total = tf.reduce_mean(loss)
print(tape.gradient(total, logits))
