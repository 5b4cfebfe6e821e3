import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
data = np.concatenate([rng.normal(-2, 0.5, 20), rng.normal(2, 0.5, 20)]).astype("float32")
logits, mu, log_sigma = tf.Variable([0.1, -0.1]), tf.Variable([-1.0, 1.0]), tf.Variable([0.0, 0.0])
for step in range(5):
    with tf.GradientTape() as tape:
        z = (data[:, None] - mu) / tf.exp(log_sigma)
        log_density = -0.5 * z**2 - log_sigma - 0.5 * np.log(2 * np.pi).astype("float32")
        mixed = tf.reduce_logsumexp(tf.nn.log_softmax(logits) + log_density, axis=1)
        loss = -tf.reduce_mean(mixed)
    for v, g in zip([logits, mu, log_sigma], tape.gradient(loss, [logits, mu, log_sigma])):
        v.assign_sub(0.1 * g)
print(mu.numpy())
