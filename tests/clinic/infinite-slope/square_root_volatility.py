import tensorflow as tf

kappa = tf.Variable(1.5)
variance = tf.constant(0.0)
noise = [0.3, -0.2, 0.1]
with tf.GradientTape() as tape:
    v = variance * kappa
    price = tf.constant(100.0)
    for z in noise:
        price = price * (1.0 + 0.01 * tf.sqrt(v) * z)  # cause
        v = v + kappa * (0.04 - v) * 0.01
print(tape.gradient(price, kappa).numpy())
