import tensorflow as tf


@tf.custom_gradient
def scaled(x):
    def grad(upstream):
        return upstream * 2.0, upstream  # cause

    return 2.0 * x, grad


v = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(scaled(v))
print(tape.gradient(loss, v))
