import numpy as np
import tensorflow as tf

w = tf.Variable([0.2, 0.9, -1.4])
for step in range(5):
    with tf.GradientTape() as tape:
        rounded = w + (np.round(w.numpy()) - w.numpy())
        mask = (np.abs(w.numpy()) > 0.1).astype("float32")
        loss = tf.reduce_sum((mask * rounded - [0.0, 1.0, -2.0]) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
