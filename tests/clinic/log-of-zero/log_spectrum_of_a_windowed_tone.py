"""A spectral loss takes the decibels of an FFT, some of whose bins are exactly zero."""
import numpy as np
import tensorflow as tf

n = 32
t = np.arange(n) / n
reference = tf.constant(np.sin(2 * np.pi * 3 * t).astype("float32"))


def decibels(signal):
    frames = tf.reshape(signal, [2, n // 2])
    spectrum = tf.signal.rfft(frames)
    power = tf.square(tf.abs(spectrum))
    return 10.0 * tf.math.log(power) / np.log(10.0).astype("float32")  # cause


class Envelope:
    def __init__(self):
        start = np.ones(n, "float32")
        start[n // 2 :] = 0.0
        self.gain = tf.Variable(start)

    def __call__(self, carrier):
        return self.gain * carrier


envelope = Envelope()
target = decibels(reference + 0.01)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(decibels(envelope(reference)) - target))
    slope = tape.gradient(loss, envelope.gain)
    envelope.gain.assign_sub(0.01 * slope)
    print(step, float(loss), float(tf.reduce_mean(envelope.gain)))
