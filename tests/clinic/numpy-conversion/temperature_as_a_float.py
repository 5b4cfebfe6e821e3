import tensorflow as tf

log_temperature = tf.Variable(0.5)
w = tf.Variable([[0.2, -0.3], [0.1, 0.4]])
x = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.1]])
labels = tf.constant([0, 1, 0])


def logits(x):
    temperature = float(tf.exp(log_temperature))  # cause
    return tf.matmul(x, w) / temperature


for step in range(3):
    with tf.GradientTape() as tape:
        entropy = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits(x))
        loss = tf.reduce_mean(entropy) + 0.01 * log_temperature**2
    gw, gt = tape.gradient(loss, [w, log_temperature])
    w.assign_sub(0.1 * gw)
    log_temperature.assign_sub(0.1 * gt)
print(loss.numpy(), log_temperature.numpy())
