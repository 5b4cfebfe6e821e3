import numpy as np
import tensorflow as tf

rng = np.random.default_rng(18)
x = rng.normal(size=(8, 2)).astype("float32")
w = tf.Variable([[0.1], [0.2]])
total = [tf.zeros_like(w)]
for start in range(0, 8, 2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x[start : start + 2] @ w - 1.0) ** 2)
    total = [t + g for t, g in zip(total, tape.gradient(loss, [w]))]
w.assign_sub(0.1 * total[0] / 4.0)
print(w.numpy())
