import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
w = tf.Variable(rng.normal(size=(5, 4)).astype("float32"))
u = rng.normal(size=(1, 5)).astype("float32")
x = tf.constant(rng.normal(size=(9, 5)).astype("float32"))
for _ in range(4):
    v = u @ w.numpy()
    v = v / np.linalg.norm(v)
    u = v @ w.numpy().T
    u = u / np.linalg.norm(u)
    with tf.GradientTape() as tape:
        sigma = tf.squeeze(u @ w @ tf.transpose(v))
        loss = tf.reduce_mean(tf.nn.relu(1.0 - x @ (w / sigma)))
    w.assign_sub(0.05 * tape.gradient(loss, w))
print("RESULT:", float(sigma))
