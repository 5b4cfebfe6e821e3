import tensorflow as tf

enc = tf.Variable(tf.random.normal((4, 3), seed=1)); dec = tf.Variable(tf.random.normal((3, 4), seed=2))

def quantise(z):
    q = tf.round(z)
    return tf.stop_gradient(z + (q - z))  # cause

x = tf.random.normal((5, 4), seed=3)
with tf.GradientTape() as tape:
    out = quantise(x @ enc) @ dec
    loss = tf.reduce_mean((out - x) ** 2)
print(tape.gradient(loss, [enc, dec]))
