import numpy as np
import tensorflow as tf

friction = tf.Variable(0.3)


def slide(mu):
    v, x = 4.0, 0.0
    for _ in range(10):
        v = max(v - mu * 9.81 * 0.02, 0.0)
        x += v * 0.02
    return np.float32(x)


def distance(mu):
    return tf.numpy_function(slide, [mu], tf.float32)  # cause


with tf.GradientTape() as tape:
    miss = (distance(friction) - 1.0) ** 2
print("RESULT:", tape.gradient(miss, friction))
