import tensorflow as tf

energy = tf.Variable([300.0, 250.0, 10.0])
beta = 1.0
with tf.GradientTape() as tape:
    logZ = tf.math.log(tf.reduce_sum(tf.exp(beta * energy)))  # cause
print(logZ, tape.gradient(logZ, energy))
