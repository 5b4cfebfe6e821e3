import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
x = rng.normal(size=(30, 2)).astype("float32")
y = (x[:, :1] - 0.5 * x[:, 1:]).astype("float32")
w = tf.Variable(tf.zeros([2, 1]))
b = tf.Variable(tf.zeros([1]))
best, patience, lr = np.inf, 2, 0.2
for epoch in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w + b - y) ** 2)
        if float(loss) < 1e-4:
            break
    dw, db = tape.gradient(loss, [w, b])
    norm = float(tf.linalg.global_norm([dw, db]))
    lr = lr * 0.9 if norm > 1.0 else lr
    w.assign_sub(lr * dw)
    b.assign_sub(lr * db)
    if float(loss) < best - 1e-3:
        best = float(loss)
    else:
        patience -= 1
        if patience == 0:
            break
print(best)
