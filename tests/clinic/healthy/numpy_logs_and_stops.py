import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
x = rng.normal(size=(20, 3)).astype("float32")
y = (x @ [1.0, -2.0, 0.5]).astype("float32")
w = tf.Variable(tf.zeros(3))
history, rate, best = [], 0.1, np.inf
for step in range(30):
    with tf.GradientTape() as tape:
        error = tf.linalg.matvec(x, w) - y
        loss = tf.reduce_mean(error**2) + 0.01 * tf.reduce_sum(w**2)
        norm = np.linalg.norm(w.numpy())
        history.append({"loss": float(loss), "norm": norm})
        if norm > 10.0:
            loss = 2.0 * loss
    w.assign_sub(rate * tape.gradient(loss, w))
    if history[-1]["loss"] > best - 1e-4:
        rate *= 0.5
    best = min(best, history[-1]["loss"])
    if rate < 1e-3:
        break
print(w.numpy(), best)
