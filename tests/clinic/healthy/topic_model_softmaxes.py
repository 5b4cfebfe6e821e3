import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
counts = rng.poisson(1.0, (8, 12)).astype("float32")
theta_logits = tf.Variable(rng.normal(0, 0.1, (8, 3)).astype("float32"))
beta_logits = tf.Variable(rng.normal(0, 0.1, (3, 12)).astype("float32"))
for _ in range(6):
    with tf.GradientTape() as tape:
        theta = tf.nn.softmax(theta_logits, axis=1)
        beta = tf.nn.softmax(beta_logits, axis=1)
        words = theta @ beta
        loss = -tf.reduce_sum(counts * tf.math.log(words)) / counts.sum()
    for v, g in zip([theta_logits, beta_logits], tape.gradient(loss, [theta_logits, beta_logits])):
        v.assign_sub(5.0 * g)
print("RESULT:", loss.numpy())
