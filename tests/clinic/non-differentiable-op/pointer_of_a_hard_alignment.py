"""Monotonic attention picks the place of the largest score and looks up the state there."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)
memory = tf.constant(rng.normal(size=(4, 9, 5)).astype("float32"))
queries = tf.constant(rng.normal(size=(4, 3)).astype("float32"))
goal = tf.constant(rng.normal(size=(4, 2)).astype("float32"))
project = tf.Variable(rng.normal(0, 0.5, (3, 5)).astype("float32"))
readout = tf.Variable(rng.normal(0, 0.5, (5, 2)).astype("float32"))


def scores(queries):
    return tf.einsum("bd,btd->bt", queries @ project, memory)


def read(queries):
    place = tf.math.argmax(scores(queries), axis=1)  # cause
    return tf.gather(memory, place, axis=1, batch_dims=1)


with tf.GradientTape() as tape:
    loss = tf.reduce_mean((read(queries) @ readout - goal) ** 2)
grads = tape.gradient(loss, {"project": project, "readout": readout})
print({name: None if g is None else g.shape for name, g in grads.items()})
