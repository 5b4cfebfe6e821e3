import tensorflow as tf

x = tf.constant([[0.5, -1.0], [1.0, 0.3], [-0.7, 0.2]])
encoder = tf.Variable([[0.4, -0.3], [0.1, 0.6]])
with tf.GradientTape() as tape:
    mean, variance = tf.split(x @ encoder, 2, axis=1)
    deviation = tf.sqrt(tf.nn.relu(variance))  # cause
    loss = tf.reduce_mean((mean + 0.3 * deviation - 1.0) ** 2)
print(tape.gradient(loss, encoder))
