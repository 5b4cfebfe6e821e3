import numpy as np
import tensorflow as tf

w = tf.Variable([[0.5], [0.25]])


def f(x):
    x = tf.convert_to_tensor(x)
    return tf.reduce_sum(tf.tanh(x @ w))


data = np.ones((3, 2), dtype="float32")
inputs = tf.constant(data)  # cause
with tf.GradientTape() as tape:
    tape.watch(inputs)
    out = f(data)  # cause
print(tape.gradient(out, inputs))  # cause
