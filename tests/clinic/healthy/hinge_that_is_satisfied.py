import tensorflow as tf

w = tf.Variable([2.0, 2.0])
x = tf.constant([[1.0, 1.0], [-1.0, -2.0]])
y = tf.constant([1.0, -1.0])
with tf.GradientTape() as tape:
    margin = y * tf.linalg.matvec(x, w)
    loss = tf.reduce_mean(tf.maximum(0.0, 1.0 - margin))
print(loss.numpy(), tape.gradient(loss, w).numpy())
