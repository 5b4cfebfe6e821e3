import tensorflow as tf

z = tf.Variable([[1000.0, 999.0, -500.0]])
with tf.GradientTape() as tape:
    e = tf.exp(z - tf.reduce_max(z, axis=-1, keepdims=True))
    p = e / tf.reduce_sum(e, axis=-1, keepdims=True)
    loss = -tf.math.log(p[0, 1] + 1e-8)
print(tape.gradient(loss, z))
