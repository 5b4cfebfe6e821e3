import tensorflow as tf

log_std = tf.Variable(-8.0)
actions = tf.constant([0.2, -0.4, 0.1])


def negative_log_prob(log_std):
    bounded = tf.clip_by_value(log_std, -5.0, 2.0)  # cause
    z = actions / tf.exp(bounded)
    return tf.reduce_mean(0.5 * z ** 2 + bounded)


for _ in range(4):
    with tf.GradientTape() as tape:
        loss = negative_log_prob(log_std)
    g = tape.gradient(loss, log_std)
    log_std.assign_sub(0.1 * g)
print("RESULT:", g.numpy())
