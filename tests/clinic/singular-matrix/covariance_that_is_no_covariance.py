import tensorflow as tf

rho = tf.Variable(1.2)
with tf.GradientTape() as tape:
    one = tf.ones([])
    cov = tf.stack([tf.stack([one, rho]), tf.stack([rho, one])])
    scale = tf.linalg.cholesky(cov)  # cause
    sample = tf.linalg.matvec(scale, [0.3, -0.4])
    loss = tf.reduce_sum(sample ** 2)
print(tape.gradient(loss, rho))
