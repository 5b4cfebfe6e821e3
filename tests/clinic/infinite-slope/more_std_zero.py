import tensorflow as tf

scale = tf.Variable(1.0)
returns = tf.constant([0.01, 0.01, 0.01])
with tf.GradientTape() as tape:
    scaled = returns * scale
    centered = scaled - tf.reduce_mean(scaled)
    vol = tf.sqrt(tf.reduce_mean(centered ** 2))  # cause
    sharpe = tf.reduce_mean(scaled) / (vol + 1e-6)
print(tape.gradient(sharpe, scale))
