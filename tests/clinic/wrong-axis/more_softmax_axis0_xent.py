import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = rng.normal(size=(12, 5)).astype("float32")
onehot = np.eye(4, dtype="float32")[rng.integers(0, 4, 12)]
w = tf.Variable(rng.normal(size=(5, 4)).astype("float32"))
b = tf.Variable(tf.zeros(4))
for _ in range(5):
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(x @ w + b, axis=0)  # cause
        loss = tf.reduce_mean(-tf.reduce_sum(onehot * tf.math.log(p), axis=1))
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * gw); b.assign_sub(0.1 * gb)
print(loss)
