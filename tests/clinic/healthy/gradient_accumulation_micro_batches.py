import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
x, y = rng.normal(size=(64, 4)).astype("float32"), rng.normal(size=(64,)).astype("float32")
w = tf.Variable(tf.random.stateless_normal([4, 1], seed=[1, 2]))
b = tf.Variable(tf.zeros([1]))
variables = [w, b]
accumulators = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
for step in range(8):
    sl = slice(8 * step, 8 * step + 8)
    with tf.GradientTape() as tape:
        pred = tf.reshape(x[sl] @ w + b, [-1])
        loss = tf.reduce_mean((pred - y[sl]) ** 2) / 4.0
    for acc, g in zip(accumulators, tape.gradient(loss, variables)):
        acc.assign_add(g)
    if (step + 1) % 4 == 0:
        for v, acc in zip(variables, accumulators):
            v.assign_sub(0.1 * acc)
            acc.assign(tf.zeros_like(acc))
print("RESULT:", w.numpy().ravel())
