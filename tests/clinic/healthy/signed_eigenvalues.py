import tensorflow as tf

a = tf.Variable([[0.0, 1.0], [1.0, 0.0]])
with tf.GradientTape() as tape:
    values, vectors = tf.linalg.eigh(a)
    loss = tf.reduce_sum(vectors[:, 0] * tf.constant([0.3, 0.1]))
print(tape.gradient(loss, a).numpy())
