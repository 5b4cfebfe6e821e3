import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as t:  # cause
    y = tf.stack([x[0] * x[1], x[1] * x[2]])
    parts = tf.unstack(y)
rows = [t.gradient(p, x) for p in parts]  # cause
print(rows)
