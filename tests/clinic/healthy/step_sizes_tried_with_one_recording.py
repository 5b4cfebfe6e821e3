"""A line search asks a persistent tape again for each step size, and sets the variable anew from where it began."""
import tensorflow as tf

w = tf.Variable([3.0, -2.0])


def energy():
    return tf.reduce_sum(w**4 + 0.5 * w**2)


for iteration in range(3):
    with tf.GradientTape(persistent=True) as tape:
        value = energy()
    start = w.value()
    for size in (1.0, 0.3, 0.1, 0.03, 0.01, 0.003):
        w.assign(start - size * tape.gradient(value, w))
        if energy() < value:
            break
print(w.numpy())
