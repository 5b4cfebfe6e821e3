"""The nan of 0 * log 0 is replaced by 0 afterwards, which leaves the gradient nan."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(116)
x = tf.constant(rng.normal(size=(6, 3)).astype("float32"))
allowed = tf.constant((rng.random((6, 5)) > 0.3).astype("float32") + np.eye(6, 5).astype("float32") > 0)
w = tf.Variable(rng.normal(0, 0.5, (3, 5)).astype("float32"))


def masked_policy(x):
    raw = tf.exp(x @ w) * tf.cast(allowed, tf.float32)
    return raw / tf.reduce_sum(raw, axis=1, keepdims=True)


def entropy(p):
    terms = p * tf.math.log(p)  # cause
    terms = tf.where(tf.math.is_nan(terms), tf.zeros_like(terms), terms)
    return -tf.reduce_sum(terms, axis=1)


for _ in range(2):
    with tf.GradientTape() as tape:
        p = masked_policy(x)
        loss = -tf.reduce_mean(entropy(p)) + tf.reduce_mean((p[:, 0] - 0.2) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    print(loss.numpy())
