"""The phase of a complex field is compared, and the field is zero at one pixel."""
import numpy as np
import tensorflow as tf

n = 8
wanted = tf.constant(np.linspace(-1, 1, n).astype("float32"))


class Field:
    def __init__(self):
        start = np.exp(1j * np.linspace(-0.5, 0.5, n)).astype("complex64")
        start[3] = 0.0
        self.re = tf.Variable(start.real)
        self.im = tf.Variable(start.imag)

    def phase(self):
        z = tf.complex(self.re, self.im)
        return tf.math.atan2(tf.math.imag(z), tf.math.real(z))  # cause


field = Field()
for i in range(3):
    with tf.GradientTape() as tape:
        gap = field.phase() - wanted
        loss = tf.reduce_mean(1.0 - tf.cos(gap))
    d_re, d_im = tape.gradient(loss, [field.re, field.im])
    field.re.assign_sub(0.1 * d_re)
    field.im.assign_sub(0.1 * d_im)
    print(i, float(loss))
