"""Normalisation in float16 with an epsilon that float16 rounds to 0; one feature is constant."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)
x = rng.normal(size=(12, 4))
x[:, 2] = 0.0
x = tf.constant(x.astype("float16"))
y = tf.constant(rng.normal(size=(12, 1)).astype("float16"))
w = tf.Variable(rng.normal(0, 0.5, (4, 4)).astype("float32"))
scale = tf.Variable(np.ones((1, 4), "float32"))
out = tf.Variable(rng.normal(0, 0.5, (4, 1)).astype("float32"))


def normalise(x, epsilon=1e-8):
    mean = tf.reduce_mean(x, axis=0)
    variance = tf.reduce_mean((x - mean) ** 2, axis=0)
    return (x - mean) / tf.sqrt(variance + epsilon)  # cause


def forward(x):
    half = [tf.cast(v, tf.float16) for v in (scale, w, out)]
    return tf.nn.relu(normalise(x * half[0]) @ half[1]) @ half[2]


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.cast(tf.reduce_mean((forward(x) - y) ** 2), tf.float32)
    for v, g in zip((scale, w, out), tape.gradient(loss, (scale, w, out))):
        v.assign_sub(0.05 * g)
    print(loss.numpy())
