import tensorflow as tf

angle = tf.Variable([2.5, 3.0])
with tf.GradientTape() as tape:
    command = tf.clip_by_value(angle, -1.0, 1.0)  # cause
    cost = tf.reduce_sum((command - 0.2) ** 2)
print(tape.gradient(cost, angle).numpy())
