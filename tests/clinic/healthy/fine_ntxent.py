import numpy as np
import tensorflow as tf
z = tf.Variable(np.random.default_rng(0).normal(size=(6, 3)).astype("float32"))
with tf.GradientTape() as tape:
    zn = z / tf.norm(z, axis=1, keepdims=True)
    sim = zn @ tf.transpose(zn) / 0.5
    sim = sim - 1e9 * tf.eye(6)
    log_prob = tf.nn.log_softmax(sim, axis=1)
    partner = tf.constant([1, 0, 3, 2, 5, 4])
    loss = -tf.reduce_mean(tf.gather(log_prob, partner, batch_dims=1))
print(tape.gradient(loss, z))
