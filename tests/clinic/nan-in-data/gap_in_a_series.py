import tensorflow as tf

series = tf.constant([0.1, 0.3, float("nan"), 0.2, 0.4])
phi = tf.Variable(0.5)
with tf.GradientTape() as tape:
    error = series[1:] - phi * series[:-1]  # cause
    loss = tf.reduce_mean(error ** 2)
print(tape.gradient(loss, phi).numpy())
