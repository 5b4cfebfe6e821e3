import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
for step in range(3):
    with tf.GradientTape() as tape:
        norm = tf.norm(w)
        loss = tf.reduce_sum((w / norm - [0.6, 0.8]) ** 2) * 0.5
        norm = np.linalg.norm(w.numpy())
        print(step, norm, "loss", float(loss))
    w.assign_sub(0.1 * tape.gradient(loss, w))
