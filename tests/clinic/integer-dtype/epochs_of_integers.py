import tensorflow as tf

coefficients = tf.Variable([3, -1, 2])  # cause
grid = tf.linspace(-1.0, 1.0, 7)


def poly(c):
    c = tf.cast(c, tf.float32)
    return c[0] + c[1] * grid + c[2] * grid ** 2


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(poly(coefficients) ** 2)
print("RESULT:", tape.gradient(loss, coefficients))  # cause
