import tensorflow as tf

dose = tf.Variable([0.0, 1.0, 4.0])
with tf.GradientTape() as tape:
    effect = dose ** 0.5  # cause
    loss = tf.reduce_sum(effect * 2.0)
print(tape.gradient(loss, dose))
