import tensorflow as tf

generator = tf.Variable([0.3, 0.6])
log_sigma = tf.Variable(0.1)  # cause
with tf.GradientTape() as tape:
    rebuild = tf.reduce_sum((generator - 1.0) ** 2)
    uncertainty = tf.exp(-log_sigma) * rebuild + log_sigma  # cause
    loss = rebuild  # cause
print(tape.gradient(loss, [generator, log_sigma]))  # cause
