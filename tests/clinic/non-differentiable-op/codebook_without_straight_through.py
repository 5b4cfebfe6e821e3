"""A VQ-VAE without the straight-through estimator: the decoder only sees entries of the codebook."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(75)
x = tf.constant(rng.normal(size=(20, 6)).astype("float32"))


def weight(*shape):
    return tf.Variable(rng.normal(0, 0.4, shape).astype("float32"))


class VQVAE:
    def __init__(self):
        self.encoder, self.decoder, self.codes = weight(6, 3), weight(3, 6), weight(8, 3)

    def quantise(self, z):
        distance = tf.reduce_sum((z[:, None, :] - self.codes[None, :, :]) ** 2, axis=-1)
        nearest = tf.argmin(distance, axis=1)  # cause
        return tf.gather(self.codes, nearest)

    def __call__(self, x):
        return self.quantise(tf.tanh(x @ self.encoder)) @ self.decoder


model = VQVAE()
parts = {"encoder": model.encoder, "decoder": model.decoder, "codes": model.codes}
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - x) ** 2)
    grads = tape.gradient(loss, parts)
    for name, g in grads.items():
        if g is None:
            print("nothing for", name)
            continue
        parts[name].assign_sub(0.1 * tf.convert_to_tensor(g))
