import numpy as np
import tensorflow as tf

probs = tf.Variable([[0.7, 0.3, 0.0], [0.1, 0.9, 0.0]])
mask = tf.constant([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
with tf.GradientTape() as tape:
    logp = tf.math.log(probs)  # cause
    entropy = -tf.reduce_sum(mask * probs * logp, axis=-1)
    loss = -tf.reduce_mean(entropy)
print(tape.gradient(loss, probs))
