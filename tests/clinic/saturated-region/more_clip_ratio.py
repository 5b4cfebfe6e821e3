import numpy as np
import tensorflow as tf

logp_old = tf.constant([-2.0, -1.5, -3.0])
adv = tf.constant([1.0, 0.5, 2.0])
logits = tf.Variable([0.5, 0.2, 0.1])
with tf.GradientTape() as tape:
    ratio = tf.exp(logits - logp_old)
    clipped = tf.clip_by_value(ratio, 0.8, 1.2)  # cause
    loss = -tf.reduce_mean(clipped * adv)
print(tape.gradient(loss, logits))
