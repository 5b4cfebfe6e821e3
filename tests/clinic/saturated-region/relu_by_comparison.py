import tensorflow as tf

bias = tf.Variable([-3.0, -2.0])
x = tf.constant([[0.1, 0.2], [0.3, 0.1]])
with tf.GradientTape() as tape:
    z = x + bias
    h = z * tf.cast(z > 0.0, tf.float32)  # cause
    loss = tf.reduce_mean((h - 1.0) ** 2)
print(tape.gradient(loss, bias))
