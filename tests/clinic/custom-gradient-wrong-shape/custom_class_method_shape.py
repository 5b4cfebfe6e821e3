import tensorflow as tf


class Quantizer:
    def __init__(self, levels):
        self.levels = levels

    @tf.custom_gradient
    def __call__(self, x):
        y = tf.round(x * self.levels) / self.levels

        def grad(dy):
            inside = tf.cast(tf.abs(x) <= 1.0, dy.dtype)
            return tf.reshape(dy * inside, [-1])  # cause

        return y, grad


q = Quantizer(4.0)
w = tf.Variable([[0.2, 0.7], [0.4, 1.2]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(q(w) ** 2)
print(tape.gradient(loss, w))
