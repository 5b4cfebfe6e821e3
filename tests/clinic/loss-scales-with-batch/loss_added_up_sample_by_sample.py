import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
x = rng.normal(size=(60, 2)).astype("float32")
y = (x @ np.array([1.0, 1.0])).astype("float32")
w = tf.Variable([0.0, 0.0])
for epoch in range(60):
    with tf.GradientTape() as tape:
        loss = 0.0
        for xi, yi in zip(x, y):
            loss += (tf.tensordot(w, xi, 1) - yi) ** 2  # cause
    w.assign_sub(0.2 * tape.gradient(loss, w))
print(w.numpy())
