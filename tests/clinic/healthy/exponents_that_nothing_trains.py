"""Logarithms of scales that one loss leaves alone: they have a loss of their own, are lowered by hand, or are not trainable."""
import tensorflow as tf

tf.random.set_seed(0)
x = tf.random.normal((16, 3))
w = tf.Variable(tf.random.normal((3, 1)))
log_alpha, log_rate = tf.Variable(0.0), tf.Variable(-1.0)
log_scale = tf.Variable(0.5, trainable=False)
for step in range(5):
    with tf.GradientTape() as tape:
        value = tf.reduce_mean(tf.square(x @ w - 1.0))
        loss = tf.exp(log_alpha) * value + tf.exp(log_rate) * tf.reduce_sum(w**2) / tf.exp(log_scale)
    w.assign_sub(0.05 * tape.gradient(loss, w))
    with tf.GradientTape() as tape:
        balance = log_alpha * tf.stop_gradient(value - 0.5)
    log_alpha.assign_add(0.1 * tape.gradient(balance, log_alpha))
    log_rate.assign(log_rate - 0.1)
print(loss.numpy())
