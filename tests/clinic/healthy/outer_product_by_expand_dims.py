import tensorflow as tf

u, v = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([0.5, 0.1, 0.2])
with tf.GradientTape() as tape:
    column = tf.expand_dims(u, 1)
    row = tf.expand_dims(v, 0)
    table = column * row
    loss = tf.reduce_sum((table - tf.eye(3)) ** 2)
print(tape.gradient(loss, [u, v]))
