import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
w = tf.Variable(rng.normal(size=(5, 4)).astype("float32"))
a = rng.normal(size=(7, 5)).astype("float32")
b = rng.normal(size=(7, 5)).astype("float32")


class Tower:
    def embed(self, x):
        z = x @ w
        length = tf.norm(z, axis=0, keepdims=True)  # cause
        return z / (length + 1e-8)  # cause


tower = Tower()
with tf.GradientTape() as tape:
    similarity = tf.matmul(tower.embed(a), tower.embed(b), transpose_b=True)
    loss = -tf.reduce_mean(tf.linalg.diag_part(similarity))
print("RESULT:", tape.gradient(loss, w).numpy())
