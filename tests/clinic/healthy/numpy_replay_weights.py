import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
w = tf.Variable(rng.normal(size=(5, 1)).astype("float32"))
pool_x = rng.normal(size=(40, 5)).astype("float32")
pool_y = rng.normal(size=(40, 1)).astype("float32")
priority = np.ones(40)
for step in range(5):
    p = priority / priority.sum()
    index = rng.choice(40, size=8, p=p)
    importance = (1.0 / (40 * p[index])).astype("float32")[:, None]
    with tf.GradientTape() as tape:
        error = pool_x[index] @ w - pool_y[index]
        loss = tf.reduce_mean(importance * error ** 2)
    g = tape.gradient(loss, w)
    w.assign_sub(0.02 * g)
    priority[index] = np.abs(error.numpy()).ravel() + 1e-3
print("RESULT:", loss.numpy())
