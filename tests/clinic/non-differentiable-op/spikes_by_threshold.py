"""A spiking layer: the spike is a comparison turned into a number."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(76)
currents = tf.constant(rng.uniform(0, 1, size=(4, 12, 5)).astype("float32"))
target = tf.constant(rng.uniform(0, 6, size=(4, 3)).astype("float32"))
w = tf.Variable(rng.normal(0.3, 0.2, (5, 3)).astype("float32"))
leak = tf.Variable(0.9)


def spike(v, threshold=1.0):
    return tf.where(v >= threshold, 1.0, 0.0)  # cause


def simulate(currents):
    v, count = tf.zeros((4, 3)), tf.zeros((4, 3))
    for t in range(currents.shape[1]):
        v = leak * v + currents[:, t] @ w
        s = spike(v)
        v = v * (1.0 - s)
        count += s
    return count


with tf.GradientTape() as tape:
    loss = tf.reduce_mean((simulate(currents) - target) ** 2)
dw, dleak = tape.gradient(loss, [w, leak])
print(loss.numpy(), dw, dleak)
