import numpy as np
import tensorflow as tf

params = {"k": 1.5, "m": 0.4}
start = tf.constant([1.0, 0.0])


def simulate(k, m):
    x, v = start[0], start[1]
    for _ in range(5):
        v = v - 0.1 * k / m * x
        x = x + 0.1 * v
    return x


tensors = {name: tf.constant(value) for name, value in params.items()}
with tf.GradientTape() as tape:
    tape.watch(tensors["k"])
    final = simulate(tensors["k"], tensors["m"])  # cause
grads = tape.gradient(final, tensors)
print("RESULT:", grads["m"])
