import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0])
v = tf.constant([1.0, 0.0, -1.0])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        f = tf.reduce_sum(x**3) + x[0] * x[1] * x[2]
    g = inner.gradient(f, x)
    directional = tf.reduce_sum(g * v)
print(outer.gradient(directional, x).numpy())
