import tensorflow as tf

z = tf.Variable([[0.1], [0.5], [0.9]])
with tf.GradientTape() as tape:
    d = z - tf.transpose(z)
    loss = tf.reduce_sum(d ** 2)
print(tape.gradient(loss, z).numpy())
