import numpy as np
import tensorflow as tf

w = tf.Variable([0.5, 1.5])
v = tf.Variable([1.0, 1.0])
with tf.GradientTape() as tape:
    first = w * 2.0
    print("first", first.numpy(), float(first[0]))
    clipped = np.clip(first, 0.0, 2.5)  # cause
    loss = tf.reduce_sum(clipped * v)
print(tape.gradient(loss, [w, v]))
