import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
x = rng.normal(size=(16, 3)).astype("float32")
y = (x @ np.array([1.0, 2.0, 3.0])).astype("float32")
w = tf.Variable(tf.zeros([3, 1]))
for step in range(20):
    with tf.GradientTape() as tape:
        prediction = x @ w
        loss = tf.reduce_mean(tf.square(prediction - y))  # cause
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
