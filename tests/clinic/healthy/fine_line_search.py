import tensorflow as tf
x = tf.Variable([3.0, -2.0])
f = lambda v: tf.reduce_sum(v ** 4 + v ** 2)
for i in range(3):
    with tf.GradientTape() as tape:
        y = f(x)
    g = tape.gradient(y, x)
    t = 1.0
    while f(x - t * g) > y - 0.5 * t * tf.reduce_sum(g ** 2):
        t *= 0.5
    x.assign_sub(t * g)
print(x.numpy())
