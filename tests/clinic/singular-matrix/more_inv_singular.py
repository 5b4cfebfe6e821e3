import tensorflow as tf

a = tf.Variable([[1.0, 2.0], [2.0, 4.0]])
b = tf.constant([[1.0], [1.0]])
with tf.GradientTape() as tape:
    x = tf.linalg.solve(a, b)  # cause
    loss = tf.reduce_sum(x ** 2)
print(tape.gradient(loss, a))
