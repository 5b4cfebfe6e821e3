import numpy as np
import tensorflow as tf

SLOPE = tf.constant(np.array([0.5, 0.25]))


@tf.custom_gradient
def gate(x):
    def grad(dy):
        return dy * SLOPE  # cause

    return x * 0.5, grad


p = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    out = tf.reduce_sum(gate(p))
print(tape.gradient(out, p))
