"""Gradients that a loop takes, and that are kept for the update behind it: in a list, as the best of several, or as the last of a search."""
import tensorflow as tf

tf.random.set_seed(0)
x = tf.random.normal((32, 3))
y = tf.reduce_sum(x, axis=1)
w = tf.Variable(tf.zeros(3))


def value_and_gradient(rows):
    with tf.GradientTape() as tape:
        value = tf.reduce_mean((tf.linalg.matvec(x[rows], w) - y[rows]) ** 2)
    return value, tape.gradient(value, w)


parts = []
for i in range(0, 32, 8):
    value, g = value_and_gradient(slice(i, i + 8))
    parts.append(g)
w.assign_sub(0.1 * tf.add_n(parts) / 4.0)

best = steepest = None
for seed in range(4):
    rows = slice(8 * seed, 8 * seed + 8)
    value, g = value_and_gradient(rows)
    if best is None or value > best:
        best, steepest = value, g
w.assign_sub(0.1 * steepest)

for i in range(8):
    value, g = value_and_gradient(slice(i, None))
    if value < 2.0:
        break
w.assign_sub(0.1 * g)

for _ in range(4):
    value, g = value_and_gradient(slice(None))
w.assign_sub(0.1 * g)
print(w.numpy(), value.numpy())
