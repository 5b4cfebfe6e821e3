import tensorflow as tf

strike = 2.0
spot = tf.Variable([1.5, 2.5, 4.0])
with tf.GradientTape() as second:
    with tf.GradientTape() as first:
        payoff = tf.reduce_sum(tf.maximum(spot - strike, 0.0))  # cause
    delta = first.gradient(payoff, spot)
gamma = second.gradient(delta, spot)
print(gamma)
