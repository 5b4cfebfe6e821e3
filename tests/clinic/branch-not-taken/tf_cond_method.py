import tensorflow as tf


class AdaptiveGain:
    def __init__(self):
        self.low = tf.Variable(1.5)
        self.high = tf.Variable(0.5)
        self.limit = 10.0

    def quiet(self, x):
        return self.low * x

    def loud(self, x):
        return self.high * tf.sqrt(tf.abs(x) + 1e-6)  # cause

    def __call__(self, x):
        level = tf.reduce_max(tf.abs(x))
        return tf.cond(level < self.limit, lambda: self.quiet(x), lambda: self.loud(x))  # cause


gain = AdaptiveGain()
signal = tf.constant([0.3, -1.2, 2.2, 0.1])
with tf.GradientTape() as tape:
    out = gain(signal)
    loss = tf.reduce_mean((out - signal) ** 2)
print("RESULT:", tape.gradient(loss, [gain.low, gain.high]))
