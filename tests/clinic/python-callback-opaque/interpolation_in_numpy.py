import numpy as np
import tensorflow as tf

grid, table = np.linspace(0.0, 1.0, 5), np.array([0.0, 0.2, 0.5, 0.7, 1.0])


def lookup(x):
    return np.interp(x.numpy(), grid, table).astype("float32")  # cause


x = tf.Variable([0.1, 0.6])
with tf.GradientTape() as tape:
    y = tf.py_function(lookup, [x], tf.float32)  # cause
    loss = tf.reduce_sum(y ** 2)
print(tape.gradient(loss, x).numpy())
