import tensorflow as tf

a = tf.Variable([[2.0, 0.0], [0.0, 2.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.linalg.eigvalsh(a) ** 2)
print(tape.gradient(loss, a))
