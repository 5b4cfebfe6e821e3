import numpy as np
import tensorflow as tf

n = 6
ring = np.zeros((n, n), dtype="float32")
for i in range(n):
    ring[i, (i + 1) % n] = ring[(i + 1) % n, i] = 1.0
weights = tf.Variable(ring)


class Spectral:
    def __init__(self, dims):
        self.dims = dims

    def laplacian(self, w):
        return tf.linalg.diag(tf.reduce_sum(w, axis=1)) - w

    def __call__(self, w):
        values, vectors = tf.linalg.eigh(self.laplacian(w))  # cause
        return vectors[:, 1 : 1 + self.dims]


target = tf.constant(np.linspace(-1, 1, n, dtype="float32")[:, None])
with tf.GradientTape() as tape:
    embedding = Spectral(1)(weights)
    loss = tf.reduce_sum((embedding - target) ** 2)
print("RESULT:", tape.gradient(loss, weights).numpy()[0])
