"""Functions are made in a loop, and all of them read the loop's name when they are called: only the last amplitude is used."""
import math

import tensorflow as tf

amplitudes = [tf.Variable(1.0), tf.Variable(0.5), tf.Variable(0.25)]
waves = []
for k, amplitude in enumerate(amplitudes):
    waves.append(lambda t, k=k: amplitude * tf.sin((k + 1) * math.pi * t))  # cause

times = tf.linspace(0.0, 1.0, 9)
with tf.GradientTape() as tape:
    signal = tf.add_n([wave(times) for wave in waves])
    loss = tf.reduce_mean((signal - times * (1.0 - times)) ** 2)
print(tape.gradient(loss, amplitudes))
