import tensorflow as tf

x = tf.constant([0.5, 1.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = tf.reduce_sum(x ** 3)  # cause
    g = inner.gradient(y, x)
print(outer.gradient(g, x))  # cause
