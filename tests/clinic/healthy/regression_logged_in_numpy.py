import tensorflow as tf
import numpy as np
rng = np.random.RandomState(0)
X = rng.randn(64, 5).astype('float32'); Y = (X @ rng.randn(5, 1) + 0.1 * rng.randn(64, 1)).astype('float32')
W = tf.Variable(tf.zeros([5, 1])); b = tf.Variable(tf.zeros([1]))
lr = 0.1; best = 1e9; best_w = None; log = []
for epoch in range(15):
    with tf.GradientTape() as tape:
        pred = tf.matmul(X, W) + b
        mse = tf.reduce_mean((pred - Y) ** 2)
        l2 = tf.nn.l2_loss(W)
        loss = mse + 1e-3 * l2
        r2 = 1 - mse.numpy() / np.var(Y)
        log.append((float(loss), r2, np.abs(W.numpy()).max()))
    dW, db = tape.gradient(loss, [W, b])
    thr = np.percentile(np.abs(dW.numpy()), 90)
    dW = tf.clip_by_value(dW, -thr, thr)
    W.assign_sub(lr * dW); b.assign_sub(lr * db)
    if log[-1][0] < best:
        best, best_w = log[-1][0], W.numpy().copy()
    else:
        lr *= 0.5
W.assign(best_w)
print(best, r2)
