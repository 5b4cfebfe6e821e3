import numpy as np
import tensorflow as tf
theta = {"a": tf.constant([1.0, 2.0]), "b": tf.constant(0.5)}
dirs = {"a": tf.constant([1.0, 0.0]), "b": tf.constant(0.0)}
def f(t):
    return tf.reduce_sum(np.sin(t["a"]) * 2.0)  # cause
with tf.autodiff.ForwardAccumulator(theta, dirs) as acc:
    y = f(theta)
print(acc.jvp(y))
