import tensorflow as tf

x = tf.Variable([1.0, 2.0])


def grad_of(f):
    with tf.GradientTape() as tape:
        value = f(x)
    return tape.gradient(value, x)  # cause


g = grad_of(lambda v: tf.reduce_sum(v ** 3))  # cause
with tf.GradientTape() as outer:
    product = tf.reduce_sum(g * tf.constant([1.0, 0.5]))
print(outer.gradient(product, x))
