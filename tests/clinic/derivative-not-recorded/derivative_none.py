import tensorflow as tf

x = tf.Variable(1.5)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x ** 3
dy = inner.gradient(y, x)  # cause
d2y = outer.gradient(dy, x)  # cause
print(d2y)
