import tensorflow as tf

resistance = tf.Variable([2.0, 0.0, 4.0])
voltage = tf.constant([1.0, 1.0, 1.0])
with tf.GradientTape() as tape:
    current = tf.where(resistance == 0.0, 0.0, voltage / resistance)  # cause
    power = tf.reduce_sum(current ** 2)
print(tape.gradient(power, resistance))
