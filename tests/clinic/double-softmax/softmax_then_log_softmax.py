import tensorflow as tf

logits = tf.Variable([[0.1, 0.9, -0.3], [0.2, 0.1, 0.4]])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(logits, axis=-1)  # cause
    log_p = tf.nn.log_softmax(p)  # cause
    loss = -tf.reduce_mean(log_p[:, 1])
print(tape.gradient(loss, logits).numpy())
