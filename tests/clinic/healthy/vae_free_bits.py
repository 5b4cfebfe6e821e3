import tensorflow as tf

tf.random.set_seed(10)
enc, dec = tf.Variable(tf.random.normal([6, 4], stddev=0.2)), tf.Variable(tf.random.normal([2, 6], stddev=0.2))
x = tf.random.uniform([16, 6])
for step in range(4):
    beta = min(1.0, step / 3)
    with tf.GradientTape() as tape:
        mu, logvar = tf.split(x @ enc, 2, axis=1)
        z = mu + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mu))
        rec = tf.reduce_mean(tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=z @ dec), axis=1))
        kl = 0.5 * tf.reduce_mean(tf.exp(logvar) + mu ** 2 - 1.0 - logvar, axis=0)
        loss = rec + beta * tf.reduce_sum(tf.maximum(kl, 0.05))
    for v, g in zip([enc, dec], tape.gradient(loss, [enc, dec])):
        v.assign_sub(0.05 * g)
print("RESULT:", float(loss), float(tf.reduce_sum(kl)))
