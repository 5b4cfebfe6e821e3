import tensorflow as tf

z = tf.Variable([0.3, 0.8])
with tf.GradientTape() as tape:
    hard = tf.round(z)
    quantised = hard + tf.stop_gradient(z - hard)  # cause
    loss = tf.reduce_sum(quantised ** 2)
print(tape.gradient(loss, z))
