import tensorflow as tf
g = tf.Variable([[1.0, 2.0], [0.5, 0.1]])
v = tf.Variable([[0.3], [0.2]])
with tf.GradientTape() as tape:
    w = g * v / tf.norm(v)
    loss = tf.reduce_sum(w ** 2)
print(tape.gradient(loss, [g, v]))
