import numpy as np
import tensorflow as tf

w = tf.Variable([[1.0], [2.0]])
x = np.ones((3, 2), dtype="float32")
with tf.GradientTape() as tape:
    loss = np.mean((x @ w - 1.0) ** 2)  # cause
print(tape.gradient(loss, w))  # cause
