import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
w = tf.Variable(rng.normal(0, 0.1, (4, 3)).astype("float32"))
pixels = rng.integers(0, 256, (8, 4)).astype("float16")


def layer_norm(h):
    mean = tf.reduce_mean(h, axis=-1, keepdims=True)
    variance = tf.reduce_mean((h - mean) ** 2, axis=-1, keepdims=True)  # cause
    return (h - mean) / tf.sqrt(variance + 1e-5)


def forward(x):
    h = tf.matmul(x * tf.constant(16.0, tf.float16), tf.cast(w, tf.float16))
    return layer_norm(h)


with tf.GradientTape() as tape:
    out = forward(pixels)
    loss = tf.reduce_mean(tf.cast(out, tf.float32) ** 2 * tf.constant([1.0, 2.0, 3.0]))
print("RESULT:", tape.gradient(loss, w).numpy())
