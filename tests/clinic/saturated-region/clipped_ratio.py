import numpy as np
import tensorflow as tf


def surrogate(logp_new, logp_old, advantage, eps=0.2):
    ratio = tf.exp(logp_new - logp_old)
    clipped = tf.clip_by_value(ratio, 1 - eps, 1 + eps)  # cause
    return -tf.reduce_mean(clipped * advantage)


mean = tf.Variable([3.0, -3.0])
actions = tf.constant([[0.0, 0.1], [-0.2, 0.3], [0.1, 0.2]])
logp_old = tf.constant([-0.1, -0.2, -0.15])
advantage = tf.constant([1.0, -0.5, 0.7])
for epoch in range(3):
    with tf.GradientTape() as tape:
        logp = -0.5 * tf.reduce_sum((actions - mean) ** 2, axis=1)
        loss = surrogate(logp, logp_old, advantage)
    grad = tape.gradient(loss, mean)
    mean.assign_sub(0.1 * grad)
print("RESULT:", grad.numpy())
