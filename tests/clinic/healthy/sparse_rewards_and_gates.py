import tensorflow as tf

gate = tf.Variable([0.3, -0.2, 0.0])
x = tf.constant([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
with tf.GradientTape() as tape:
    y = x * tf.sigmoid(gate)
    loss = tf.reduce_sum(y**2)
print(tape.gradient(loss, gate).numpy())
