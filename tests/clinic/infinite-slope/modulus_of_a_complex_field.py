"""Phase retrieval: the modulus of a Fourier field as a root of its parts, with dark pixels."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
n = 16
truth = np.zeros(n)
truth[5:9] = rng.uniform(0.5, 1.0, 4)
measured = tf.constant(np.abs(np.fft.fft(truth)), tf.float32)


class PhaseRetrieval:
    def __init__(self, support):
        self.support = tf.constant(support, tf.float32)
        self.density = tf.Variable(self.support * 0.5)

    def modulus(self):
        field = tf.signal.fft(tf.cast(self.density * self.support, tf.complex64))
        power = tf.math.real(field) ** 2 + tf.math.imag(field) ** 2
        return tf.sqrt(power)  # cause

    def step(self, rate):
        with tf.GradientTape() as tape:
            mismatch = tf.reduce_mean(tf.square(self.modulus() - measured))
        slope = tape.gradient(mismatch, self.density)
        self.density.assign_sub(rate * slope)
        return mismatch


support = np.zeros(n)
support[4:12] = 1.0
problem = PhaseRetrieval(support)
for i in range(4):
    print(i, float(problem.step(0.05)), problem.density.numpy()[4:9])
