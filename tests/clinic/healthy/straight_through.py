import tensorflow as tf

z = tf.Variable([0.3, 0.8])
with tf.GradientTape() as tape:
    hard = z + tf.stop_gradient(tf.round(z) - z)
    loss = tf.reduce_sum((hard - 0.2) ** 2)
print(tape.gradient(loss, z))
