"""Per-example losses as the target on purpose: gradients of each example by a loop; the rate is divided by the batch."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(24)
w = tf.Variable(tf.zeros((5, 1)))
X = rng.normal(size=(64, 5)).astype("float32")
Y = X.sum(1, keepdims=True)
for epoch in range(5):
    with tf.GradientTape() as tape:
        losses = tf.reduce_mean((X @ w - Y) ** 2, -1)
    w.assign_sub(0.1 / len(X) * tape.gradient(losses, w))
    with tf.GradientTape() as tape:
        losses = tf.reduce_mean((X[:4] @ w - Y[:4]) ** 2, -1)
    J = tape.jacobian(losses, w)
    print(epoch, float(tf.reduce_mean(losses)), float(tf.reduce_mean(tf.norm(J[..., 0], axis=1))))
