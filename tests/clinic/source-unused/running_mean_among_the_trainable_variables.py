"""A layer that centres its input keeps a running mean, which is trainable by default: it has no gradient while the layer is trained."""
import tensorflow as tf

tf.random.set_seed(0)


class Centred(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.scale = tf.Variable(tf.ones(size))
        self.mean = tf.Variable(tf.zeros(size))  # cause

    def __call__(self, x, training):
        centre = tf.reduce_mean(x, axis=0) if training else self.mean
        if training:
            self.mean.assign(0.9 * self.mean + 0.1 * centre)
        return self.scale * (x - centre)


layer = Centred(3)
x = tf.random.normal((8, 3)) + 2.0
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(layer(x, training=True) - 1.0))
print(tape.gradient(loss, layer.trainable_variables))
