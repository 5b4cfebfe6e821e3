import tensorflow as tf

prices = tf.Variable([3.0, 0.0, 2.0])
with tf.GradientTape() as tape:
    mean = tf.exp(tf.reduce_mean(tf.math.log(prices)))  # cause
print(tape.gradient(mean, prices).numpy())
