import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
enc = tf.Variable(rng.normal(0, 0.4, (4, 2)).astype("float32"))
dec = tf.Variable(rng.normal(0, 0.4, (2, 4)).astype("float32"))
codes = tf.Variable(rng.normal(0, 0.5, (5, 2)).astype("float32"), trainable=False)
count = tf.Variable(tf.ones(5), trainable=False)
total = tf.Variable(codes, trainable=False)
x = tf.constant(rng.normal(size=(20, 4)).astype("float32"))


def quantise(z, training):
    d = tf.reduce_sum(z ** 2, 1, keepdims=True) - 2 * z @ tf.transpose(codes) + tf.reduce_sum(codes ** 2, 1)
    onehot = tf.one_hot(tf.argmin(d, 1), 5)
    q = onehot @ codes
    latent = tf.reduce_mean((tf.stop_gradient(q) - z) ** 2)
    if training:
        count.assign(0.9 * count + 0.1 * tf.reduce_sum(onehot, 0))
        total.assign(0.9 * total + 0.1 * tf.matmul(onehot, z, transpose_a=True))
        codes.assign(total / count[:, None])
    return z + tf.stop_gradient(q - z), latent


for _ in range(4):
    with tf.GradientTape() as tape:
        q, latent = quantise(x @ enc, True)
        loss = tf.reduce_mean((q @ dec - x) ** 2) + 0.25 * latent
    for v, g in zip([enc, dec], tape.gradient(loss, [enc, dec])):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
