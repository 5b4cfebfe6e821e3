import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
w = tf.Variable(np.zeros((3, 1), "float32"))
average = tf.Variable(np.zeros((3, 1), "float32"), trainable=False)
x, y = rng.normal(size=(30, 3)).astype("float32"), rng.normal(size=(30, 1)).astype("float32")
best, patience = np.inf, 0
for epoch in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x[:20] @ w - y[:20]) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    average.assign(0.9 * average + 0.1 * w)
    val = float(tf.reduce_mean((x[20:] @ average - y[20:]) ** 2))
    if val < best:
        best, patience = val, 0
    else:
        patience += 1
        if patience > 2:
            break
print("RESULT:", best)
