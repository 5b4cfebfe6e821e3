import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
log_alpha = tf.Variable(0.0)
w = tf.Variable(rng.normal(size=(3, 2)).astype("float32") * 0.1)
s = tf.constant(rng.normal(size=(16, 3)).astype("float32"))
for _ in range(3):
    with tf.GradientTape() as tape:
        mean, log_std = tf.split(s @ w, 2, axis=1)
        eps = tf.random.normal(mean.shape)
        action = tf.tanh(mean + tf.exp(log_std) * eps)
        logp = -0.5 * eps ** 2 - log_std - tf.math.log(1.0 - action ** 2 + 1e-6)
        q = -(action - 0.3) ** 2
        loss = tf.reduce_mean(tf.stop_gradient(tf.exp(log_alpha)) * logp - q)
    w.assign_sub(0.05 * tape.gradient(loss, w))
    with tf.GradientTape() as tape:
        alpha_loss = -tf.reduce_mean(log_alpha * tf.stop_gradient(logp - 1.0))
    log_alpha.assign_sub(0.05 * tape.gradient(alpha_loss, log_alpha))
print("RESULT:", float(loss), float(log_alpha))
