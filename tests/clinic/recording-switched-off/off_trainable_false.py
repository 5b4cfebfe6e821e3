import tensorflow as tf


class Encoder:
    def __init__(self, frozen=True):
        self.w = tf.Variable(tf.ones([2, 2]), trainable=not frozen)  # cause
        self.b = tf.Variable(tf.zeros([2]))

    def __call__(self, x):
        return x @ self.w + self.b


encoder = Encoder()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(encoder(tf.ones([1, 2])) ** 2)
print(tape.gradient(loss, [encoder.w, encoder.b]))  # cause
