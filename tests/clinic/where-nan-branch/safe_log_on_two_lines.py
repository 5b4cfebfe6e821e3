import tensorflow as tf

x = tf.Variable([1.0, 0.0, 2.0])
with tf.GradientTape() as tape:
    log_x = tf.math.log(x)  # cause
    safe = tf.where(x > 0.0, log_x, tf.zeros_like(x))
    loss = tf.reduce_sum(safe)
print(tape.gradient(loss, x).numpy())
