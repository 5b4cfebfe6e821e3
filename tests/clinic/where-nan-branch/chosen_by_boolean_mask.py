import tensorflow as tf

x = tf.Variable([0.5, 0.0, 3.0])
with tf.GradientTape() as tape:
    logs = tf.math.log(x)  # cause
    kept = tf.boolean_mask(logs, x > 0.0)
    loss = tf.reduce_mean(kept)
print(tape.gradient(loss, x))
