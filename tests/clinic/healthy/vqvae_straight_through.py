import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
x = tf.constant(rng.normal(size=(20, 6)).astype("float32"))
enc = tf.Variable(rng.normal(0, 0.4, (6, 3)).astype("float32"))
dec = tf.Variable(rng.normal(0, 0.4, (3, 6)).astype("float32"))
codebook = tf.Variable(rng.normal(0, 0.5, (8, 3)).astype("float32"))
usage = np.zeros(8, dtype=int)


def quantise(z):
    distances = (tf.reduce_sum(z ** 2, axis=1, keepdims=True)
                 - 2.0 * tf.matmul(z, codebook, transpose_b=True)
                 + tf.reduce_sum(codebook ** 2, axis=1))
    idx = tf.argmin(distances, axis=1)
    q = tf.gather(codebook, idx)
    codebook_loss = tf.reduce_mean((q - tf.stop_gradient(z)) ** 2)
    commitment = tf.reduce_mean((tf.stop_gradient(q) - z) ** 2)
    q = z + tf.stop_gradient(q - z)
    return q, codebook_loss + 0.25 * commitment, idx


for step in range(6):
    with tf.GradientTape() as tape:
        z = tf.tanh(x @ enc)
        q, vq_loss, idx = quantise(z)
        loss = tf.reduce_mean((q @ dec - x) ** 2) + vq_loss
    ge, gd, gc = tape.gradient(loss, [enc, dec, codebook])
    enc.assign_sub(0.1 * ge)
    dec.assign_sub(0.1 * gd)
    codebook.scatter_sub(tf.IndexedSlices(0.1 * gc.values, gc.indices))
    np.add.at(usage, idx.numpy(), 1)
print("RESULT:", loss.numpy(), (usage > 0).sum())
