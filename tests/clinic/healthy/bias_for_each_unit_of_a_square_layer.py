import tensorflow as tf

w, b = tf.Variable(tf.eye(4) * 0.3), tf.Variable(tf.zeros(4))
x = tf.reshape(tf.sin(tf.range(16.0)), (4, 4))
weights = tf.constant([1.0, 0.5, 0.2, 0.1])
with tf.GradientTape() as tape:
    h = tf.tanh(x @ w + b)
    unit = tf.reduce_mean(h, axis=0)
    loss = tf.reduce_sum((h - unit) ** 2 * weights)
print([g.numpy() for g in tape.gradient(loss, [w, b])])
