import numpy as np
import tensorflow as tf

velocity = tf.Variable([0.0, 1.1])


def orbit(v, steps=15, dt=0.1):
    r = tf.constant([1.0, 0.0])
    for _ in range(steps):
        d = np.linalg.norm(r)  # cause
        v = v - dt * r / d ** 3
        r = r + dt * v
    return r


with tf.GradientTape() as tape:
    miss = tf.reduce_sum((orbit(velocity) - tf.constant([0.0, 1.0])) ** 2)
print("RESULT:", tape.gradient(miss, velocity).numpy())
