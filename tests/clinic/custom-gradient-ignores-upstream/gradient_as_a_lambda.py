import tensorflow as tf


@tf.custom_gradient
def scaled(x):
    return 5.0 * x, lambda dy: 5.0 * tf.ones_like(x)  # cause


x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_mean(scaled(x) ** 2)
print(tape.gradient(y, x))
