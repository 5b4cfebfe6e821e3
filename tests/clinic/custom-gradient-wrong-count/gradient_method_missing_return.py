import tensorflow as tf


class Quantiser:
    def __init__(self, levels):
        self.levels = levels

    def __call__(self, x):
        @tf.custom_gradient
        def forward(v):
            def backward(dv):
                inside = tf.cast(tf.abs(v) <= 1.0, v.dtype)
                return [dv * inside, None]  # cause

            return tf.round(v * self.levels) / self.levels, backward

        return forward(x)


w = tf.Variable([0.3, -0.7, 1.2])
q = Quantiser(4.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((q(w) - 0.5) ** 2)
print("RESULT:", tape.gradient(loss, w))
