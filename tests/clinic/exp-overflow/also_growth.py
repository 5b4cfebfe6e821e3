import tensorflow as tf
rate = tf.Variable(9.0)
days = tf.range(0.0, 12.0)
cases = tf.constant([1.0] * 12)
with tf.GradientTape() as tape:
    curve = tf.exp(rate * days)  # cause
    loss = tf.reduce_mean((tf.math.log(curve) - cases) ** 2)
print(tape.gradient(loss, rate))
