"""As many Gaussians as points: their means and widths are columns, and each meets every point."""
import tensorflow as tf

tf.random.set_seed(0)
x = tf.concat([tf.random.normal((5,)) - 3, tf.random.normal((5,)) + 3], 0)
mu, log_s = tf.Variable(tf.reshape(tf.linspace(-4.0, 4.0, 10), (10, 1))), tf.Variable(tf.zeros((10, 1)))
hist = []
for _ in range(50):
    with tf.GradientTape() as tape:
        logp = -0.5 * ((x - mu) / tf.exp(log_s)) ** 2 - log_s
        nll = -tf.reduce_mean(tf.reduce_logsumexp(logp, 0))
    for v, g in zip((mu, log_s), tape.gradient(nll, (mu, log_s))):
        v.assign_sub(0.05 * g)
    hist.append(float(nll))
assert hist[-1] < hist[0]
