import tensorflow as tf

tf.random.set_seed(2)
log_rate = tf.Variable([0.1, 0.5, 1.0])
with tf.GradientTape() as tape:
    counts = tf.random.poisson([20], tf.exp(log_rate))  # cause
    loss = tf.reduce_mean(counts)
print(tape.gradient(loss, log_rate))
