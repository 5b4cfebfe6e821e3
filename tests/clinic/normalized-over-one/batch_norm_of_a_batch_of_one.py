"""Online learning with one example at a time, and a batch norm that subtracts that example from itself."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(77)


class BatchNorm(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.gamma, self.beta = tf.Variable(tf.ones(n)), tf.Variable(tf.zeros(n))

    def __call__(self, x):
        mean = tf.reduce_mean(x, axis=0, keepdims=True)  # cause
        variance = tf.reduce_mean((x - mean) ** 2, axis=0, keepdims=True)
        return self.gamma * (x - mean) / tf.sqrt(variance + 1e-5) + self.beta


dense = tf.Variable(rng.normal(0, 0.4, (4, 6)).astype("float32"))
norm = BatchNorm(6)
out = tf.Variable(rng.normal(0, 0.4, (6, 1)).astype("float32"))
for step in range(5):
    x = tf.constant(rng.normal(size=(1, 4)).astype("float32"))
    with tf.GradientTape() as tape:
        y = tf.tanh(norm(x @ dense)) @ out
        loss = tf.reduce_mean((y - tf.reduce_sum(x)) ** 2)
    grads = tape.gradient(loss, [dense, out, norm.beta])
    for v, g in zip([dense, out, norm.beta], grads):
        v.assign_sub(0.1 * g)
    print(step, loss.numpy())
