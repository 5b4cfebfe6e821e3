import numpy as np
import tensorflow as tf

adjacency = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]], "float32")
weights = tf.Variable(1.0)


def spectral_coordinates(w):
    a = w * adjacency
    laplacian = tf.linalg.diag(tf.reduce_sum(a, axis=1)) - a
    values, vectors = tf.linalg.eigh(laplacian)  # cause
    return vectors[:, 1:3]


with tf.GradientTape() as tape:
    coordinates = spectral_coordinates(weights)
    loss = tf.reduce_sum(coordinates[0] * tf.constant([1.0, 0.3]))
print("RESULT:", tape.gradient(loss, weights).numpy())
