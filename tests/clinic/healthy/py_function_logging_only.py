import numpy as np
import tensorflow as tf

seen = []
w = tf.Variable([1.0, 2.0])


def note(value):
    seen.append(float(value))
    return np.float32(0.0)


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w ** 2)
        tf.py_function(note, [loss], tf.float32)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", seen)
