import tensorflow as tf

m = tf.Variable([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
target = tf.constant([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
with tf.GradientTape() as tape:
    s, u, v = tf.linalg.svd(m)  # cause
    rotation = tf.matmul(u, v, transpose_b=True)
    loss = tf.reduce_sum((rotation - target) ** 2)
print(tape.gradient(loss, m))
