import tensorflow as tf


class Ops:
    @staticmethod
    @tf.custom_gradient
    def blend(a, b):
        result = 0.3 * a + 0.7 * b

        def backward(dy):
            return 0.3 * dy  # cause

        return result, backward


a = tf.Variable([1.0, 2.0])
b = tf.Variable([3.0, 4.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(Ops.blend(a, b) ** 2)
grads = tape.gradient(loss, [a, b])
print(grads)
