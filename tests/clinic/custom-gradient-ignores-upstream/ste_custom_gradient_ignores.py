import tensorflow as tf


@tf.custom_gradient
def hard_sign(x):
    def grad(upstream):
        return tf.cast(tf.abs(x) <= 1.0, x.dtype)  # cause

    return tf.sign(x), grad


w = tf.Variable([0.3, -0.8, 1.7])
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(hard_sign(w) * x)
    loss = (y - 4.0) ** 2
print("RESULT:", tape.gradient(loss, w).numpy())
