import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
labels = np.array([0, 0, 1, 1, 2, 2, 0, 1])
x = rng.normal(size=(8, 5)).astype("float32") + labels[:, None].astype("float32")
w = tf.Variable(rng.normal(0, 0.5, (5, 4)).astype("float32"))
TEMPERATURE = 0.1


def supcon(z, y):
    z = tf.math.l2_normalize(z, axis=1)
    sim = tf.matmul(z, z, transpose_b=True) / TEMPERATURE
    sim -= tf.stop_gradient(tf.reduce_max(sim, axis=1, keepdims=True))
    n = z.shape[0]
    not_self = 1.0 - tf.eye(n)
    positives = tf.cast(tf.equal(y[:, None], y[None, :]), tf.float32) * not_self
    exp_sim = tf.exp(sim) * not_self
    log_prob = sim - tf.math.log(tf.reduce_sum(exp_sim, axis=1, keepdims=True))
    per_anchor = tf.reduce_sum(positives * log_prob, axis=1) / tf.reduce_sum(positives, axis=1)
    return -tf.reduce_mean(per_anchor)


losses = []
for _ in range(10):
    with tf.GradientTape() as tape:
        loss = supcon(x @ w, tf.constant(labels))
    w.assign_sub(0.05 * tape.gradient(loss, w))
    losses.append(loss.numpy())
print("RESULT:", losses[0] > losses[-1], losses[-1])
