import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
mean, log_scale = tf.Variable([0.1, -0.2]), tf.Variable([0.0, 0.0])
for step in range(5):
    with tf.GradientTape() as tape:
        scale = tf.exp(log_scale)
        action = mean.numpy() + scale.numpy() * rng.normal(size=(16, 2)).astype("float32")
        reward = -np.sum((action - 1.0) ** 2, axis=1)
        log_p = -0.5 * tf.reduce_sum(((action - mean) / scale) ** 2 + 2.0 * log_scale, axis=1)
        loss = -tf.reduce_mean(log_p * (reward - reward.mean()))
    for v, g in zip([mean, log_scale], tape.gradient(loss, [mean, log_scale])):
        v.assign_sub(0.01 * g)
print("RESULT:", mean.numpy())
