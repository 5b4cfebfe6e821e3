"""A box regressor whose corners become pixel indices before the overlap is computed."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(71)
features = tf.constant(rng.normal(size=(5, 6)).astype("float32"))
truth = tf.constant(np.sort(rng.uniform(0, 60, (5, 2, 2)), axis=1).reshape(5, 4).astype("float32"))
head = {"w": tf.Variable(rng.normal(0, 3, (6, 4)).astype("float32")), "b": tf.Variable([10.0, 10.0, 50.0, 50.0])}


def boxes(x):
    return tf.cast(x @ head["w"] + head["b"], tf.int32)  # cause


def area(b):
    return (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])


def iou(a, b):
    top = tf.maximum(a[:, :2], b[:, :2])
    bottom = tf.minimum(a[:, 2:], b[:, 2:])
    sides = tf.maximum(bottom - top, 0.0)
    both = sides[:, 0] * sides[:, 1]
    return both / (area(a) + area(b) - both + 1e-6)


with tf.GradientTape() as tape:
    predicted = tf.cast(boxes(features), tf.float32)
    loss = tf.reduce_mean(1.0 - iou(predicted, truth))
grads = tape.gradient(loss, head)
print(loss.numpy(), {name: g is None for name, g in grads.items()})
