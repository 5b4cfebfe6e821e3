import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
x = rng.normal(size=(1000, 3)).astype("float32")
y = (x @ np.array([1.0, -2.0, 0.5], "float32")).astype("float32")
w = tf.Variable(np.zeros(3, "float32"))
velocity = tf.zeros([3])
for _ in range(80):
    with tf.GradientTape() as tape:
        error = tf.linalg.matvec(x, w) - y
        loss = tf.reduce_sum(error ** 2)  # cause
    g = tape.gradient(loss, w)
    velocity = 0.9 * velocity - 0.01 * g
    w.assign_add(velocity)  # cause
print("RESULT:", w.numpy())
