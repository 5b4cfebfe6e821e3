"""Fakes are flipped and scaled by a NumPy function before the discriminator sees them: no gradient comes back."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(84)
G = tf.Variable(rng.normal(0, 0.4, (3, 16)).astype("float32"))
D = tf.Variable(rng.normal(0, 0.4, (16, 1)).astype("float32"))


def augment_numpy(images):
    flipped = images[:, :, ::-1] if rng.random() < 0.5 else images
    return (flipped * rng.uniform(0.9, 1.1)).astype("float32")


def augment(images):
    out = tf.numpy_function(augment_numpy, [images], tf.float32)  # cause
    return tf.reshape(out, images.shape)


def generator(z):
    return tf.reshape(tf.tanh(z @ G), (-1, 4, 4))


def discriminator(images):
    return tf.reshape(images, (-1, 16)) @ D


for _ in range(2):
    z = tf.constant(rng.normal(size=(5, 3)).astype("float32"))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.softplus(-discriminator(augment(generator(z)))))
    g = tape.gradient(loss, G)
    if g is not None:
        G.assign_sub(0.1 * g)
    print(loss.numpy())
