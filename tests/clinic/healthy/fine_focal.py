import tensorflow as tf
z = tf.Variable([2.0, -1.0, 0.5])
y = tf.constant([1.0, 0.0, 1.0])
with tf.GradientTape() as tape:
    p = tf.clip_by_value(tf.sigmoid(z), 1e-6, 1 - 1e-6)
    pt = y * p + (1 - y) * (1 - p)
    loss = -tf.reduce_mean((1 - pt) ** 2 * tf.math.log(pt))
print(tape.gradient(loss, z))
