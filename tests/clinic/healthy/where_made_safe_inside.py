import tensorflow as tf

x = tf.Variable([1.0, 0.0, 4.0])
with tf.GradientTape() as tape:
    safe = tf.where(x > 0.0, x, 1.0)
    y = tf.where(x > 0.0, tf.math.log(safe), 0.0)
    loss = tf.reduce_sum(y)
print(tape.gradient(loss, x))
