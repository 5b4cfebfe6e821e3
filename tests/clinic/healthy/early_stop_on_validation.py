import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
x = rng.normal(size=(60, 3)).astype(np.float32)
y = (x @ np.array([[1.5], [-2.0], [0.5]], np.float32) + 0.3 + 0.05 * rng.normal(size=(60, 1))).astype(np.float32)
x_train, x_val, y_train, y_val = x[:40], x[40:], y[:40], y[40:]
w, b = tf.Variable(tf.zeros([3, 1])), tf.Variable(0.0)
best, patience, waited, best_weights = np.inf, 3, 0, None
for epoch in range(200):
    for i in range(0, 40, 10):
        with tf.GradientTape() as tape:
            pred = tf.matmul(x_train[i : i + 10], w) + b
            loss = tf.reduce_mean(tf.square(pred - y_train[i : i + 10]))
        gw, gb = tape.gradient(loss, [w, b])
        w.assign_sub(0.05 * gw)
        b.assign_sub(0.05 * gb)
    val = float(tf.reduce_mean(tf.square(tf.matmul(x_val, w) + b - y_val)))
    if val < best - 1e-5:
        best, waited, best_weights = val, 0, (w.numpy().copy(), b.numpy())
    else:
        waited += 1
        if waited >= patience:
            break
w.assign(best_weights[0])
b.assign(best_weights[1])
print("RESULT:", epoch > 2, w.numpy().ravel(), b.numpy())
