import tensorflow as tf


def sinc(x):
    return tf.where(tf.equal(x, 0.0), tf.ones_like(x), tf.sin(x) / x)  # cause


class Interpolator(tf.Module):
    def __init__(self, samples):
        super().__init__()
        self.samples = tf.constant(samples)
        self.shift = tf.Variable(0.0)

    def __call__(self, t):
        n = tf.range(len(self.samples), dtype=tf.float32)
        arg = 3.14159265 * (t[:, None] - self.shift - n[None, :])
        return tf.linalg.matvec(sinc(arg), self.samples)


signal = Interpolator([0.0, 1.0, 0.5, -0.5])
t = tf.constant([0.5, 1.0, 1.5])
with tf.GradientTape() as tape:
    err = tf.reduce_mean((signal(t) - 0.2) ** 2)
print("RESULT:", tape.gradient(err, signal.shift).numpy())
