"""The reconstruction loss is summed over pixels and images, with the rate of an average."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(113)
images = tf.constant(rng.uniform(size=(64, 5, 5, 1)).astype("float32"))
down = tf.Variable(rng.normal(0, 0.2, (25, 4)).astype("float32"))
up = tf.Variable(rng.normal(0, 0.2, (4, 25)).astype("float32"))


def autoencode(x):
    flat = tf.reshape(x, (-1, 25))
    return tf.reshape(flat @ down @ up, x.shape)


def reconstruction_loss(x, y):
    return tf.reduce_sum(tf.square(x - y))  # cause


for epoch in range(60):
    with tf.GradientTape() as tape:
        loss = reconstruction_loss(images, autoencode(images))
    for v, g in zip((down, up), tape.gradient(loss, (down, up))):
        v.assign_sub(0.05 * g)
print(loss.numpy())
