import tensorflow as tf

points = tf.Variable([[0.1, 0.9], [1.2, -0.3], [0.5, 0.5], [2.0, 1.0]])
with tf.GradientTape() as tape:
    kernel = tf.matmul(points, points, transpose_b=True)
    rows = tf.expand_dims(tf.reduce_mean(kernel, axis=1), 1)
    columns = tf.expand_dims(tf.reduce_mean(kernel, axis=0), 0)
    centred = kernel - rows - columns + tf.reduce_mean(kernel)
    loss = tf.linalg.trace(centred @ centred)
print(tape.gradient(loss, points).numpy())
