import numpy as np
import tensorflow as tf

rng = np.random.default_rng(45)
meta = [tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for s in ((2, 4), (4, 1))]
x, y = rng.normal(size=(6, 2)).astype("float32"), rng.normal(size=(6, 1)).astype("float32")


def net(p, x):
    return tf.tanh(x @ p[0]) @ p[1]


def adapt(p):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(p, x) - y) ** 2)
    grads = tape.gradient(loss, p)
    return [tf.Variable(v - 0.1 * g) for v, g in zip(p, grads)]  # cause


with tf.GradientTape() as outer:
    fast = adapt(meta)
    query = tf.reduce_mean((net(fast, x + 1.0) - y) ** 2)
print("RESULT:", outer.gradient(query, meta))
