import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)


class VQ(tf.Module):
    def __init__(self):
        super().__init__()
        self.encoder = tf.Variable(rng.normal(0, 0.4, size=(6, 2)).astype("float32"))
        self.codebook = tf.Variable(rng.normal(size=(8, 2)).astype("float32"))
        self.decoder = tf.Variable(rng.normal(0, 0.4, size=(2, 6)).astype("float32"))

    def quantize(self, z):
        distances = tf.reduce_sum((z[:, None] - self.codebook[None]) ** 2, axis=-1)
        nearest = tf.argmin(distances, axis=1)  # cause
        return tf.gather(self.codebook, nearest)

    def __call__(self, x):
        z = x @ self.encoder
        return self.quantize(z) @ self.decoder


vq = VQ()
x = tf.constant(rng.normal(size=(12, 6)).astype("float32"))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((vq(x) - x) ** 2)
g = tape.gradient(loss, {"encoder": vq.encoder, "decoder": vq.decoder})
print("RESULT:", g["encoder"])
