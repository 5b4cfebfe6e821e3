"""Two-way table: row and column effects, added as an outer sum, fitted to a square table of data."""
import tensorflow as tf

tf.random.set_seed(0)
rows, cols, mu = tf.Variable(tf.zeros((5, 1))), tf.Variable(tf.zeros((5,))), tf.Variable(0.0)
data = tf.random.normal((5, 1)) + tf.random.normal((5,)) + 3.0
for _ in range(200):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((mu + rows + cols - data) ** 2)
    for v, g in zip((rows, cols, mu), tape.gradient(loss, (rows, cols, mu))):
        v.assign_sub(0.02 * g)
assert float(loss) < 1e-2
