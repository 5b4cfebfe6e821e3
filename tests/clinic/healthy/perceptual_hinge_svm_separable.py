import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)
pos, neg = rng.normal(3, 0.5, (15, 2)), rng.normal(-3, 0.5, (15, 2))
x = np.vstack([pos, neg]).astype("float32")
y = np.concatenate([np.ones(15), -np.ones(15)]).astype("float32")
w, b = tf.Variable(tf.zeros([2])), tf.Variable(0.0)
for _ in range(30):
    with tf.GradientTape() as tape:
        margin = y * (tf.linalg.matvec(tf.constant(x), w) + b)
        loss = tf.reduce_mean(tf.maximum(0.0, 1.0 - margin))
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(0.5 * gw)
    b.assign_sub(0.5 * gb)
print("RESULT:", loss.numpy(), w.numpy())
