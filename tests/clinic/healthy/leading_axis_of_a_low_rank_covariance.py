import tensorflow as tf

direction = tf.Variable([[1.0], [2.0], [2.0]])
with tf.GradientTape() as tape:
    covariance = tf.matmul(direction, direction, transpose_b=True)
    values, vectors = tf.linalg.eigh(covariance)
    top = vectors[:, -1]
    loss = tf.reduce_sum(top * tf.constant([0.3, 0.1, 0.2])) ** 2
print(tape.gradient(loss, direction).numpy())
