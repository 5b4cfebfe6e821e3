import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
returns = rng.normal(size=(12,)).astype("float32")
valid = (rng.uniform(size=(12, 1)) > 0.3).astype("float32")
value = tf.Variable(0.0)
slope = tf.Variable(tf.ones(12))
with tf.GradientTape() as tape:
    error = (value * slope - returns) ** 2
    loss = tf.reduce_sum(error * valid) / tf.reduce_sum(valid)  # cause
print(tape.gradient(loss, [value, slope]))
