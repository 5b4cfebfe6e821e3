import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
x = rng.normal(size=(50, 1)).astype("float32")
y = 2.0 * x + 1.0
w, b = tf.Variable(0.0), tf.Variable(0.0)
lr = 0.5

for epoch in range(400):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x + b - y) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_add(lr * dw)  # cause
    b.assign_add(lr * db)  # cause
print(loss.numpy(), w.numpy(), b.numpy())
