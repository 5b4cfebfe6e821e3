import tensorflow as tf


@tf.custom_gradient
def round_through(x):
    def backward(upstream):
        return tf.ones_like(upstream)  # cause

    return tf.round(x), backward


w = tf.Variable([0.2, 1.7])
with tf.GradientTape() as tape:
    q = round_through(w)
    loss = tf.reduce_mean((q - 1.0) ** 2)
print(tape.gradient(loss, w))
