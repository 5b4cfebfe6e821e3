"""A gate and a value that both start at zero."""

import tensorflow as tf

signal = tf.constant([0.3, 1.2, -0.7])
gate = tf.Variable(0.0)  # cause
value = tf.Variable(0.0)  # cause
with tf.GradientTape(persistent=True) as tape:
    output = tf.tanh(gate * signal) * (value * signal)
    loss = tf.reduce_mean((output - 1.0) ** 2)
print([tape.gradient(loss, each) for each in (gate, value)], tape.gradient(loss, [gate, value]))
