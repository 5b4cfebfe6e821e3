import numpy as np
import tensorflow as tf

clicks, views = np.array([3.0, 0.0]), np.array([10.0, 0.0])
with np.errstate(all="ignore"):
    rate = (clicks / views).astype("float32")  # cause
b = tf.Variable(0.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum((tf.sigmoid(b) - rate) ** 2)
print(tape.gradient(loss, b))
