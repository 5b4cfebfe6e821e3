import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
w = tf.Variable(tf.ones((3, 1)))


@tf.function
def noisy_step(x, y):
    jitter = rng.normal(0.0, 0.1, size=(4, 3)).astype("float32")  # cause
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(((x + jitter) @ w - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


x = tf.constant(rng.normal(size=(4, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(4, 1)).astype("float32"))
for _ in range(5):
    loss = noisy_step(x, y)
print("RESULT:", loss.numpy())
