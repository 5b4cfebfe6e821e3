"""A VAE whose encoder sees pixels from 0 to 255; the decoder's probabilities reach exactly 1."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
pixels = rng.integers(0, 256, size=(16, 36)).astype("float32")
DIM = 3


def dense(rows, columns, scale):
    return {
        "w": tf.Variable(rng.normal(scale=scale, size=(rows, columns)).astype("float32")),
        "b": tf.Variable(tf.zeros(columns)),
    }


params = {
    "mean": dense(36, DIM, 0.05),
    "logvar": dense(36, DIM, 0.0005),
    "out": dense(DIM, 36, 0.6),
}


def forward(name, x):
    return x @ params[name]["w"] + params[name]["b"]


def elbo(x):
    mean, logvar = forward("mean", x), forward("logvar", x)
    z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean), seed=5)
    p = tf.sigmoid(forward("out", z))
    t = x / 255.0
    rec = tf.reduce_sum(t * tf.math.log(p) + (1.0 - t) * tf.math.log(1.0 - p), axis=1)  # cause
    kl = -0.5 * tf.reduce_sum(1.0 + logvar - mean ** 2 - tf.exp(logvar), axis=1)
    return tf.reduce_mean(rec - kl)


weights = [v for layer in params.values() for v in layer.values()]
for step in range(3):
    with tf.GradientTape() as tape:
        loss = -elbo(tf.constant(pixels))
    for w, g in zip(weights, tape.gradient(loss, weights)):
        w.assign_sub(1e-4 * g)
    print(step, loss.numpy())
