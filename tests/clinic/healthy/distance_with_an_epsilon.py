import tensorflow as tf

p = tf.Variable([[0.0, 0.0], [1.0, 1.0]])
with tf.GradientTape() as tape:
    gap = tf.expand_dims(p, 1) - tf.expand_dims(p, 0)
    d = tf.sqrt(tf.reduce_sum(gap ** 2, axis=-1) + 1e-8)
    loss = tf.reduce_sum(d)
print(tape.gradient(loss, p))
