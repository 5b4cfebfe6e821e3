import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
truth = rng.uniform(-1, 1, 16).astype("float32")
amplitude = tf.constant(np.hanning(18)[1:-1].astype("float32"))


def intensity(phase):
    wave = tf.complex(amplitude * tf.cos(phase), amplitude * tf.sin(phase))
    return tf.abs(tf.signal.fft(wave)) ** 2


measured = intensity(tf.constant(truth))
phase = tf.Variable(tf.zeros(16) + 0.1)
optimizer = tf.keras.optimizers.Adam(0.05)
for i in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((intensity(phase) - measured) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, phase), phase)])
print(float(loss))
