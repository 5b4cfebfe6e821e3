import tensorflow as tf


def rosenbrock(x, y):
    return (1.0 - x) ** 2 + 100.0 * (y - x ** 2) ** 2


def descend(x, y, lr):
    with tf.GradientTape() as tape:
        f = rosenbrock(x, y)
    dx, dy = tape.gradient(f, (x, y))
    if dx is None:
        return x, y, (dx, dy)
    return x - lr * dx, y - lr * dy, (dx, dy)  # cause


x, y = tf.Variable(-0.5), tf.Variable(1.0)
for i in range(4):
    x, y, grads = descend(x, y, 1e-3)  # cause
print("RESULT:", grads)
