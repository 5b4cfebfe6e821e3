import tensorflow as tf


class Line:
    def __init__(self):
        self.slope = tf.Variable(2)  # cause
        self.offset = tf.Variable(0.5)

    def __call__(self, x):
        return tf.cast(self.slope, tf.float32) * x + self.offset  # cause


line = Line()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((line(tf.constant([1.0, 2.0])) - 3.0) ** 2)
print(tape.gradient(loss, [line.slope, line.offset]))
