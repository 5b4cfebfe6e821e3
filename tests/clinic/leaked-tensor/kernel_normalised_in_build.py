"""A layer computes its normalised kernel once in `build`, which runs while the first call is compiled: only variables outlive that."""
import tensorflow as tf


class NormalisedDense:
    def __init__(self, units):
        self.units, self.direction, self.kernel = units, None, None

    def build(self, width):
        self.direction = tf.Variable(tf.random.stateless_normal((width, self.units), seed=(2, 3)))
        self.kernel = tf.math.l2_normalize(self.direction, axis=0)  # cause

    def call(self, x):
        return tf.matmul(x, self.kernel)

    @tf.function
    def first_call(self, x):
        if self.kernel is None:
            self.build(x.shape[-1])
        return tf.reduce_sum(self.call(x))


layer = NormalisedDense(4)
x = tf.random.stateless_normal((6, 3), seed=(1, 1))
print("set up", layer.first_call(x).numpy())
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(layer.call(x)))
print(tape.gradient(loss, layer.direction))
