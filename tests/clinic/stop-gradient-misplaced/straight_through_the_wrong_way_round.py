"""VQ-VAE: the straight-through copy is written the wrong way round, so the encoder gets nothing from the reconstruction."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)


class VectorQuantizer(tf.Module):
    def __init__(self, k, d):
        super().__init__()
        self.codebook = tf.Variable(rng.normal(0, 0.5, (k, d)).astype("float32"))

    def __call__(self, z):
        dist = tf.reduce_sum((z[:, None] - self.codebook[None]) ** 2, -1)
        idx = tf.argmin(dist, 1)
        q = tf.gather(self.codebook, idx)
        codebook_loss = tf.reduce_mean((q - tf.stop_gradient(z)) ** 2)
        q = q + tf.stop_gradient(z - q)  # cause
        return q, codebook_loss


class VQVAE(tf.Module):
    def __init__(self):
        super().__init__()
        self.enc = tf.Variable(rng.normal(0, 0.4, (8, 3)).astype("float32"))
        self.vq = VectorQuantizer(10, 3)
        self.dec = tf.Variable(rng.normal(0, 0.4, (3, 8)).astype("float32"))

    def __call__(self, x):
        q, vq_loss = self.vq(tf.tanh(x @ self.enc))
        return q @ self.dec, vq_loss


net = VQVAE()
data = rng.normal(size=(64, 8)).astype("float32")
for epoch in range(2):
    for i in range(0, 64, 16):
        x = data[i : i + 16]
        with tf.GradientTape() as tape:
            out, vq_loss = net(x)
            loss = tf.reduce_mean((out - x) ** 2) + vq_loss
        grads = tape.gradient(loss, net.trainable_variables)
        for v, g in zip(net.trainable_variables, grads):
            if g is None:
                continue
            v.assign_sub(0.1 * g if not isinstance(g, tf.IndexedSlices) else 0.1 * tf.convert_to_tensor(g))
    print(epoch, float(loss))
