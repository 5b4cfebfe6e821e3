"""A contractive penalty on a jacobian that was computed before the outer tape."""

import tensorflow as tf


class Encoder(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.random.normal((3, 2), seed=1))

    def __call__(self, x):
        return tf.tanh(x @ self.w)


encoder = Encoder()


def jacobian(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        code = encoder(x)
    return tape.batch_jacobian(code, x)


x = tf.random.normal((4, 3), seed=2)
jac = jacobian(x)  # cause
with tf.GradientTape() as outer:
    penalty = tf.reduce_mean(tf.reduce_sum(jac**2, axis=[1, 2]))
print(outer.gradient(penalty, encoder.trainable_variables))
