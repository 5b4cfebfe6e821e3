import tensorflow as tf

tf.random.set_seed(1)
enc, dec = tf.Variable(tf.random.normal([2, 6], stddev=0.5)), tf.Variable(tf.random.normal([7, 2], stddev=0.5))
for step in range(3):
    xc, yc = tf.random.normal([5, 1]), tf.random.normal([5, 1])
    xt, yt = tf.random.normal([8, 1]), tf.random.normal([8, 1])
    with tf.GradientTape() as tape:
        r = tf.reduce_mean(tf.nn.relu(tf.concat([xc, yc], axis=1) @ enc), axis=0, keepdims=True)
        h = tf.concat([xt, tf.repeat(r, 8, axis=0)], axis=1)
        mu, raw = tf.split(h @ dec, 2, axis=1)
        sigma = 0.1 + 0.9 * tf.nn.softplus(raw)
        nll = tf.reduce_mean(tf.math.log(sigma) + 0.5 * ((yt - mu) / sigma) ** 2)
    for v, g in zip([enc, dec], tape.gradient(nll, [enc, dec])):
        v.assign_sub(0.01 * g)
print("RESULT:", float(nll))
