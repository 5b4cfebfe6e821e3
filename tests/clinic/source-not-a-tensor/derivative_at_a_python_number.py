"""A learner asks for the derivative with respect to a Python number."""
import tensorflow as tf


def cubic(x):
    return x**3 - 2.0 * x**2 + 4.0


def newton(f, guess, steps):
    x = guess
    for i in range(steps):
        with tf.GradientTape() as tape:
            x_t = tf.constant(x)
            tape.watch(x_t)
            y = f(x_t)
        slope = tape.gradient(y, x)  # cause
        x = x - float(y) / float(slope)
        print(i, x, float(y))
    return x


for guess in (-2.0, -1.0, 0.5):
    root = newton(cubic, guess, 4)
    print("from", guess, "to", root)
