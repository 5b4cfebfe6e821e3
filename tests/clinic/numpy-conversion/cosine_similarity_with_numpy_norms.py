import numpy as np
import tensorflow as tf

params = {"a": tf.Variable([1.0, 2.0, 0.5]), "b": tf.Variable([0.2, -1.0, 1.5])}


def cosine(a, b):
    dot = tf.reduce_sum(a * b)
    lengths = np.linalg.norm(a.numpy()) * np.linalg.norm(b.numpy())  # cause
    return dot / lengths


with tf.GradientTape() as tape:
    loss = 1.0 - cosine(params["a"], params["b"])
for name, g in tape.gradient(loss, params).items():
    print(name, g.numpy())
