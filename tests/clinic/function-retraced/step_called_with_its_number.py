"""A learner passes the Python number of the step to a compiled function."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
x = tf.constant(rng.normal(size=(32, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(32, 1)).astype("float32"))
w = tf.Variable(tf.zeros([3, 1]))


@tf.function
def train_step(step, inputs, targets):  # cause
    rate = 0.1 / (1.0 + 0.1 * step)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((inputs @ w - targets) ** 2)
    w.assign_sub(rate * tape.gradient(loss, w))
    return loss


for step in range(12):
    loss = train_step(step, x, y)  # cause
print("last loss", float(loss))
