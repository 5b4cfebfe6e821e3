import tensorflow as tf

spot, vol = tf.Variable([80.0, 100.0, 120.0]), tf.Variable(0.2)
strike, rate, time = 100.0, 0.01, 0.5
with tf.GradientTape(persistent=True) as tape:
    root = vol * tf.sqrt(tf.constant(time))
    d1 = (tf.math.log(spot / strike) + (rate + 0.5 * vol**2) * time) / root
    cdf = lambda z: 0.5 * (1.0 + tf.math.erf(z / tf.sqrt(2.0)))
    price = spot * cdf(d1) - strike * tf.exp(-rate * time) * cdf(d1 - root)
delta, vega = tape.gradient(price, spot), tape.gradient(price, vol)
print(delta.numpy(), vega.numpy())
