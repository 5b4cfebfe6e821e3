import tensorflow as tf

w = tf.Variable([[0.0], [0.0]])
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
with tf.GradientTape() as tape:
    h = tf.matmul(x, w)
    spread = tf.math.reduce_std(h, axis=0)  # cause
    loss = tf.reduce_mean((h - 1.0) ** 2) + 0.1 * tf.reduce_sum((spread - 1.0) ** 2)
print(tape.gradient(loss, w).numpy())
