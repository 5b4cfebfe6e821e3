import tensorflow as tf

x = tf.Variable([1.0, 2.0])
y = tf.Variable([0.5, 0.5])
with tf.GradientTape(persistent=True) as tape:
    a = tf.reduce_sum(x ** 2 * y)
    b = tf.reduce_sum(x * y)
print(tape.gradient(a, x), tape.gradient(b, y), tape.gradient(a, y))
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        z = tf.reduce_sum(x ** 3)
    dz = inner.gradient(z, x)
print(outer.gradient(dz, x))
