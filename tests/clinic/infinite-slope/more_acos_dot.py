import tensorflow as tf

a = tf.Variable([[0.6, 0.8], [1.0, 0.0]])
b = tf.constant([[0.8, 0.6], [1.0, 0.0]])
with tf.GradientTape() as tape:
    cos = tf.reduce_sum(a * b, axis=1)
    theta = tf.math.acos(cos)  # cause
    loss = tf.reduce_mean(theta ** 2)
print(tape.gradient(loss, a))
