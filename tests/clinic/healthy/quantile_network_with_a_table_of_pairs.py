"""QR-DQN: every quantile meets every target, in a table that is asked for with newaxis."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(120)
N = 5
net = tf.Variable(rng.normal(0, 0.4, (4, 2 * N)).astype("float32"))
tau = (np.arange(N) + 0.5).astype("float32") / N


def quantiles(s):
    return tf.reshape(s @ net, (-1, 2, N))


for _ in range(3):
    s, n = (tf.constant(rng.normal(size=(5, 4)).astype("float32")) for _ in range(2))
    a, r = rng.integers(0, 2, 5), rng.normal(size=(5, 1)).astype("float32")
    following = quantiles(n)
    best = tf.argmax(tf.reduce_mean(following, axis=2), axis=1)
    goal = r + 0.9 * tf.gather(following, best, batch_dims=1)
    with tf.GradientTape() as tape:
        own = tf.gather(quantiles(s), a, batch_dims=1)
        u = tf.stop_gradient(goal)[:, tf.newaxis, :] - own[:, :, tf.newaxis]
        huber = tf.where(tf.abs(u) <= 1.0, 0.5 * u**2, tf.abs(u) - 0.5)
        weight = tf.abs(tau[None, :, None] - tf.cast(u < 0.0, tf.float32))
        loss = tf.reduce_mean(tf.reduce_sum(tf.reduce_mean(weight * huber, axis=2), axis=1))
    net.assign_sub(0.1 * tape.gradient(loss, net))
    print(loss.numpy())
