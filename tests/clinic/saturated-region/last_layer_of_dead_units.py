import tensorflow as tf

x = tf.constant([[1.0, 2.0], [2.0, 1.0]])
frozen = tf.constant([[-1.0, -1.0], [-2.0, -0.5]])
head = tf.Variable([[0.3], [0.2]])
with tf.GradientTape() as tape:
    features = tf.nn.relu(tf.matmul(x, frozen))  # cause
    loss = tf.reduce_mean((tf.matmul(features, head) - 1.0) ** 2)
print(tape.gradient(loss, head))
