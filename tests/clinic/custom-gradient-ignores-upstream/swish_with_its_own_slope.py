import tensorflow as tf


@tf.custom_gradient
def swish(x):
    s = tf.sigmoid(x)

    def grad(dy):
        return s + x * s * (1.0 - s)  # cause

    return x * s, grad


x = tf.Variable([0.5, -1.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(3.0 * swish(x))
print(tape.gradient(loss, x).numpy())
