"""A spiking layer whose custom gradient stands for the slope of the threshold."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(90)
currents = tf.constant(rng.uniform(0, 1, size=(4, 10, 5)).astype("float32"))
target = tf.constant(rng.uniform(0, 5, size=(4, 3)).astype("float32"))
w = tf.Variable(rng.normal(0.3, 0.2, (5, 3)).astype("float32"))


@tf.custom_gradient
def spike(v):
    def grad(upstream):
        return upstream / (1.0 + 10.0 * tf.abs(v)) ** 2

    return tf.cast(v >= 0.0, tf.float32), grad


def simulate(currents):
    v, count = tf.zeros((4, 3)), tf.zeros((4, 3))
    for t in range(currents.shape[1]):
        v = 0.9 * v + currents[:, t] @ w
        s = spike(v - 1.0)
        v = v * (1.0 - tf.stop_gradient(s))
        count += s
    return count


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((simulate(currents) - target) ** 2)
    w.assign_sub(0.01 * tape.gradient(loss, w))
    print(loss.numpy())
