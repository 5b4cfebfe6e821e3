import tensorflow as tf
sigma = tf.Variable([1.0, 0.0])
with tf.GradientTape() as tape:
    kl = 0.5 * tf.reduce_sum(sigma ** 2 - 1.0 - tf.math.log(sigma ** 2))  # cause
print(tape.gradient(kl, sigma))
