import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
x = rng.normal(size=(20, 3)).astype("float32")
y = (x @ [1.0, -2.0, 0.5]).astype("float32")
w = tf.Variable(tf.zeros(3))
for step in range(5):
    with tf.GradientTape() as tape:
        error = tf.linalg.matvec(x, w) - y
        penalty = 0.1 * np.sum(w.numpy() ** 2)  # cause
        loss = tf.reduce_mean(error**2) + penalty
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
