import tensorflow as tf

logits = tf.random.normal([16, 5], seed=0) * 3.0
labels = tf.random.uniform([16], 0, 5, dtype=tf.int32, seed=1)
log_temperature = tf.Variable(0.0)


def calibration_loss():
    scaled = logits / tf.exp(log_temperature)  # cause
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scaled))


for _ in range(4):
    with tf.GradientTape() as tape:
        loss = calibration_loss()
    log_temperature.assign_add(100.0 * tape.gradient(loss, log_temperature))
print("RESULT:", log_temperature.numpy())
