import tensorflow as tf

x = tf.constant([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
y = tf.Variable([[1.0], [2.0], [3.0]])
with tf.GradientTape() as tape:
    gram = tf.matmul(x, x, transpose_a=True)
    root = tf.linalg.cholesky(gram - 0.5 * tf.eye(2))  # cause
    beta = tf.linalg.cholesky_solve(root, tf.matmul(x, y, transpose_a=True))
    loss = tf.reduce_sum(beta**2)
print(tape.gradient(loss, y))
