import tensorflow as tf

x = tf.Variable([0.4, -0.7])


def f(x):
    return tf.reduce_sum(x ** 4) + tf.reduce_prod(x)


with tf.GradientTape(persistent=True) as tape:
    y = f(x)
g = tape.gradient(y, x)  # cause
h = tape.jacobian(g, x)  # cause
print("RESULT:", h)
