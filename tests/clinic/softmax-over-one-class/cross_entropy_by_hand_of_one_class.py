import tensorflow as tf

x = tf.constant([[0.2, 0.4], [0.6, 0.1]])
y = tf.constant([[1.0], [1.0]])
w = tf.Variable([[0.3], [0.1]])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(tf.matmul(x, w), axis=1)  # cause
    loss = -tf.reduce_mean(tf.reduce_sum(y * tf.math.log(p), axis=1))
print(tape.gradient(loss, w))
