"""Noise from NumPy inside a compiled discriminator step is drawn once, while it is traced."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
w = tf.Variable(rng.normal(0, 0.4, (3, 1)).astype("float32"))
b = tf.Variable([0.0])


def noisy(x, sigma):
    return x + np.random.normal(0.0, sigma, size=x.shape).astype("float32")  # cause


@tf.function
def d_step(real, fake):
    with tf.GradientTape() as tape:
        d_real = noisy(real, 0.1) @ w + b
        d_fake = noisy(fake, 0.1) @ w + b
        loss = tf.reduce_mean(tf.nn.softplus(-d_real) + tf.nn.softplus(d_fake))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)
    return loss


for _ in range(4):
    real = tf.constant(rng.normal(1, 1, (8, 3)).astype("float32"))
    fake = tf.constant(rng.normal(0, 1, (8, 3)).astype("float32"))
    print(d_step(real, fake).numpy())
