import numpy as np
import tensorflow as tf

rng = np.random.default_rng(38)
a = rng.normal(size=(14, 4)).astype("float32")
b = a + 0.2 * rng.normal(size=(14, 4)).astype("float32")
b[7:] = rng.normal(2.0, 1.0, size=(7, 4))
same = np.r_[np.ones(7), np.zeros(7)].astype("float32")
w = tf.Variable(rng.normal(0, 0.5, (4, 3)).astype("float32"))


def distance(u, v):
    return tf.sqrt(tf.maximum(tf.reduce_sum(tf.square(u - v), axis=1), 1e-7))


for _ in range(15):
    with tf.GradientTape() as tape:
        d = distance(a @ w, b @ w)
        loss = tf.reduce_mean(same * d ** 2 + (1.0 - same) * tf.maximum(1.0 - d, 0.0) ** 2)
    w.assign_sub(0.05 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())
