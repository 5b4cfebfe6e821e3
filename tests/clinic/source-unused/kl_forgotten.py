import tensorflow as tf

tf.random.set_seed(11)
enc = tf.Variable(tf.random.normal([6, 4], stddev=0.2))
log_var_head = tf.Variable(tf.random.normal([6, 4], stddev=0.2))  # cause
dec = tf.Variable(tf.random.normal([4, 6], stddev=0.2))


def encode(x):
    return x @ enc, x @ log_var_head


def elbo(x):
    mean, log_var = encode(x)  # cause
    z = mean + tf.random.normal(tf.shape(mean))  # cause
    recon = tf.reduce_mean(tf.reduce_sum((z @ dec - x) ** 2, axis=1))
    kl = -0.5 * tf.reduce_mean(tf.reduce_sum(1.0 + log_var - mean ** 2 - tf.exp(log_var), axis=1))
    return recon  # cause


x = tf.random.normal([10, 6])
with tf.GradientTape() as tape:
    loss = elbo(x)  # cause
grads = tape.gradient(loss, [enc, log_var_head, dec])
print("RESULT:", [None if g is None else float(tf.norm(g)) for g in grads])
