import tensorflow as tf

x = tf.Variable([1.0, -2.0, 3.0])
with tf.GradientTape() as second:
    with tf.GradientTape() as first:
        y = tf.reduce_sum(tf.abs(x) * 3.0)  # cause
    slope = first.gradient(y, x)
print(second.gradient(slope, x))
