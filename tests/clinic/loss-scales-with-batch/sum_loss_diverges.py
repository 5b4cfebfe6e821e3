import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = rng.normal(size=(800, 5)).astype("float32")
y = x @ np.array([[1.0], [2.0], [-1.0], [0.5], [0.0]], "float32")
w = tf.Variable(np.zeros((5, 1), "float32"))


def objective():
    return tf.reduce_sum(tf.square(tf.matmul(x, w) - y))  # cause


for epoch in range(60):
    with tf.GradientTape() as tape:
        loss = objective()
    w.assign_sub(0.01 * tape.gradient(loss, w))  # cause
print("RESULT:", w.numpy().ravel())
