import tensorflow as tf

tf.random.set_seed(3)
wa, wb = tf.Variable(tf.random.normal([5, 4])), tf.Variable(tf.random.normal([7, 4]))
images, texts = tf.random.normal([6, 5]), tf.random.normal([6, 7])
log_t = tf.Variable(0.0)
with tf.GradientTape() as tape:
    a = tf.nn.l2_normalize(images @ wa, axis=1)
    b = tf.nn.l2_normalize(texts @ wb, axis=1)
    logits = tf.exp(log_t) * a @ tf.transpose(b)
    labels = tf.range(6)
    loss = 0.5 * tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
                                + tf.nn.sparse_softmax_cross_entropy_with_logits(labels, tf.transpose(logits)))
print("RESULT:", [tf.norm(g).numpy() for g in tape.gradient(loss, [wa, wb, log_t])])
