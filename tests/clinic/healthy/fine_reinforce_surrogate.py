import tensorflow as tf
theta = tf.Variable(0.3)
with tf.GradientTape() as tape:
    logp = -0.5 * (1.2 - theta) ** 2
    cost = (1.2 - 1.0) ** 2
    loss = cost + logp * cost - tf.stop_gradient(logp * cost)
print(tape.gradient(loss, theta))
