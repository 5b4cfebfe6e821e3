import tensorflow as tf

hazard = tf.Variable([0.1, 0.2, 1.0])
with tf.GradientTape() as tape:
    survival = tf.math.cumprod(1.0 - hazard)
    loglik = tf.reduce_sum(tf.math.log(survival))  # cause
print(tape.gradient(loglik, hazard))
