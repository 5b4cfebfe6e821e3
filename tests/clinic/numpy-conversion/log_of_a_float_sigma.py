import tensorflow as tf, math
data = tf.constant([1.2, 0.8, 1.9, 2.2])
mu = tf.Variable(0.0); sigma = tf.Variable(1.0)
def nll(mu, sigma):
    s = float(sigma)  # cause
    const = math.log(s * math.sqrt(2 * math.pi))
    z = (tf.math.log(data) - mu) / sigma
    return tf.reduce_sum(0.5 * z ** 2 + const)
for i in range(10):
    with tf.GradientTape() as tape:
        loss = nll(mu, sigma)
    g = tape.gradient(loss, {'mu': mu, 'sigma': sigma})
    mu.assign_sub(0.05 * g['mu']); sigma.assign_sub(0.05 * g['sigma'])
print(mu.numpy(), sigma.numpy())
