import numpy as np
import tensorflow as tf

rng = np.random.default_rng(26)
x = rng.normal(size=(400, 3)).astype("float32")
y = (x @ [[1.0], [2.0], [3.0]]).astype("float32")
w = tf.Variable(tf.zeros([3, 1]))
for _ in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((x @ w - y) ** 2)
    w.assign_sub(0.0005 * tape.gradient(loss, w))
print("RESULT:", w.numpy().ravel())
