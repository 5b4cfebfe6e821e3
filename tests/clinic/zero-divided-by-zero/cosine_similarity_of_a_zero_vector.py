import numpy as np
import tensorflow as tf

documents = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.5, 0.1, 0.3]], dtype="float32")
query = tf.Variable([0.3, 0.2, 0.1])


def cosine(a, b):
    dot = tf.reduce_sum(a * b, axis=-1)
    norms = tf.norm(a, axis=-1) * tf.norm(b, axis=-1)
    return dot / norms  # cause


with tf.GradientTape() as tape:
    loss = -tf.reduce_mean(cosine(documents, query))
print(tape.gradient(loss, query))
