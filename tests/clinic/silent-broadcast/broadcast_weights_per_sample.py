import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
x = rng.normal(size=(20, 3)).astype("float32")
y = (x @ np.array([1.0, -1.0, 0.5], dtype="float32")).reshape(-1, 1)
importance = rng.uniform(0.1, 1.0, 20).astype("float32")
w = tf.Variable(tf.zeros([3, 1]))


def squared(pred, truth):
    return (pred - truth) ** 2


def weighted(losses, weights):
    return tf.reduce_mean(losses * weights)  # cause


for _ in range(10):
    with tf.GradientTape() as tape:
        loss = weighted(squared(x @ w, y), importance)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", w.numpy().ravel())
