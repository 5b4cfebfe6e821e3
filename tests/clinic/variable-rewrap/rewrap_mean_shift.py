import tensorflow as tf


class Meta:
    def __init__(self):
        self.theta = tf.Variable([0.5, -0.5])

    def adapt(self, x):
        with tf.GradientTape() as inner:
            loss = tf.reduce_sum((self.theta * x) ** 2)
        g = inner.gradient(loss, self.theta)
        return tf.Variable(self.theta - 0.1 * g, name="fast")  # cause


meta = Meta()
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as outer:
    fast = meta.adapt(x)
    loss = tf.reduce_sum((fast * x - 1.0) ** 2)
print(outer.gradient(loss, meta.theta))
