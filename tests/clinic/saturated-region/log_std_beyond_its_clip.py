import tensorflow as tf

mean, log_std = tf.Variable([0.1, -0.3]), tf.Variable([3.0, 4.0])
action = tf.constant([0.5, 0.2])
with tf.GradientTape() as tape:
    clipped = tf.clip_by_value(log_std, -20.0, 2.0)  # cause
    z = (action - mean) / tf.exp(clipped)
    loss = tf.reduce_mean(0.5 * z**2 + clipped)
print(tape.gradient(loss, [mean, log_std]))
