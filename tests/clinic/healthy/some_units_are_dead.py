import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
x = rng.uniform(size=(10, 2)).astype("float32")
w = tf.Variable([[1.0, -1.0, 0.5], [0.5, -2.0, 1.0]])
v = tf.Variable([[0.1], [0.2], [0.3]])
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.nn.relu(x @ w) @ v - 1.0) ** 2)
    gw, gv = tape.gradient(loss, [w, v])
    w.assign_sub(0.1 * gw)
    v.assign_sub(0.1 * gv)
print(loss)
