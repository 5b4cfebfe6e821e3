import tensorflow as tf

features = tf.constant([[1.0, 2.0], [3.0, 4.0]])
weights = tf.Variable([[0.1], [0.2]])

with tf.GradientTape() as tape:
    loss = tf.reduce_mean((tf.matmul(features, weights) - 1.0) ** 2)

weights = tf.Variable([[0.0], [0.0]])  # cause
gradient = tape.gradient(loss, weights)  # cause
print(gradient)
