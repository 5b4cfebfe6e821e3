import tensorflow as tf

w = tf.Variable([1.0, 1.0])
x = tf.constant([[1.0, 2.0], [0.5, 0.1]])
y = tf.constant([3.0, 0.6])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((tf.nn.relu(tf.linalg.matvec(x, w)) - y) ** 2)
print(tape.gradient(loss, w).numpy())
