"""Weights are projected after each step, and the change is noted after the update."""
import tensorflow as tf

tf.random.set_seed(0)
w = tf.Variable(tf.random.normal((4, 1)))
x = tf.random.normal((30, 4))
y = x @ tf.constant([[0.2], [0.3], [0.1], [0.4]])
for _ in range(200):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    g = tape.gradient(loss, w)
    new = w - 0.1 * g
    new = tf.nn.relu(new)
    new = new / tf.reduce_sum(new)
    w.assign(new)
    change = new - w
assert float(loss) < 1e-2
