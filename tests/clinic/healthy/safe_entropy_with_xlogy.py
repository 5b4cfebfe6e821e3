import numpy as np
import tensorflow as tf

p_true = tf.constant([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
logits = tf.Variable([[0.1, 0.2, -0.3], [0.0, 0.4, 0.2]])
for _ in range(5):
    with tf.GradientTape() as tape:
        q = tf.nn.softmax(logits)
        kl = tf.reduce_sum(tf.math.xlogy(p_true, p_true) - tf.math.xlogy(p_true, q), axis=1)
        loss = tf.reduce_mean(kl)
    logits.assign_sub(0.5 * tape.gradient(loss, logits))
print("RESULT:", loss.numpy())
