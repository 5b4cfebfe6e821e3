import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
best = tf.Variable(w)
x = rng.normal(size=(20, 3)).astype("float32")
y = x @ np.ones((3, 1), "float32")
best_loss = float("inf")
for step in range(5):
    with tf.GradientTape() as tape:
        error = x @ w - y
        loss = tf.reduce_mean(error ** 2) + 0.1 * tf.reduce_sum((w - best) ** 2)
    g = tape.gradient(loss, w)
    if float(loss) < best_loss:
        best_loss = float(loss)
        best.assign(w)
    w.assign_sub(0.1 * g)
print("RESULT:", g.numpy().ravel())
