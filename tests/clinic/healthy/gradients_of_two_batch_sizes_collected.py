"""Gradients of a large and a small batch are collected in a list, and compared; the large one makes the step."""
import tensorflow as tf

tf.random.set_seed(3)
w = tf.Variable(tf.random.normal((6, 1)))
x = tf.random.normal((128, 6))
y = x @ tf.random.normal((6, 1))
for step in range(30):
    big, small = (x, y), (x[:16], y[:16])
    grads = []
    for a, b in (big, small):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((a @ w - b) ** 2)
        grads.append(tape.gradient(loss, w))
    g_big, g_small = grads
    difference = g_small - g_big
    cosine = tf.reduce_sum(g_small * g_big) / (tf.norm(g_small) * tf.norm(g_big))
    w.assign_sub(0.1 * g_big)
final = tf.reduce_mean((x @ w - y) ** 2)
assert float(final) < 0.05
