import tensorflow as tf

tf.random.set_seed(3)
logits = tf.Variable([[0.1, 0.2, 0.3]])
with tf.GradientTape() as tape:
    action = tf.random.categorical(logits, 5)
    log_p = tf.gather(tf.nn.log_softmax(logits)[0], action[0])
    reward = tf.stop_gradient(tf.cast(action[0], tf.float32))
    loss = -tf.reduce_mean(log_p * reward)
print(tape.gradient(loss, logits))
