"""Two critics of one shape: the gradients are collected in a dict and applied under the other's name."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(88)
critics = {name: tf.Variable(rng.normal(0, 0.4, (5, 1)).astype("float32")) for name in ("first", "second")}
other = {"first": "second", "second": "first"}
s = tf.constant(rng.normal(size=(16, 5)).astype("float32"))
goal = tf.constant(rng.normal(size=(16, 1)).astype("float32"))
masks = {name: tf.constant(rng.integers(0, 2, (16, 1)).astype("float32")) for name in critics}


def loss_of(name):
    error = s @ critics[name] - goal
    return tf.reduce_sum(masks[name] * error ** 2) / tf.reduce_sum(masks[name])


for step in range(4):
    grads = {}
    for name in critics:
        with tf.GradientTape() as tape:
            loss = loss_of(name)
        grads[other[name]] = tape.gradient(loss, critics[name])
    for name, critic in critics.items():
        critic.assign_sub(0.1 * grads[name])  # cause
    print(step, loss.numpy())
