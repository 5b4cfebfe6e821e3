import tensorflow as tf

z = tf.constant([[1.0], [1.0], [0.0]])
amplitude = tf.Variable(1.0)
with tf.GradientTape() as tape:
    d = z - tf.transpose(z)
    k = amplitude * tf.exp(-d ** 2)
    root = tf.linalg.cholesky(k)  # cause
    loss = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(root)))
print(tape.gradient(loss, amplitude))
