"""Frames of a recording are weighted by a softmax, over the recordings instead of the frames."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
frames = tf.constant(rng.normal(size=(6, 10, 4)).astype("float32"))
genre = tf.constant(rng.integers(0, 3, size=6))
theta = {
    "score": tf.Variable(rng.normal(0, 0.5, (4, 1)).astype("float32")),
    "value": tf.Variable(rng.normal(0, 0.5, (4, 5)).astype("float32")),
    "class": tf.Variable(rng.normal(0, 0.5, (5, 3)).astype("float32")),
}


def pool(frames):
    energy = tf.squeeze(frames @ theta["score"], axis=-1)
    weights = tf.nn.softmax(energy, axis=0)  # cause
    values = tf.tanh(frames @ theta["value"])
    return tf.reduce_sum(weights[:, :, tf.newaxis] * values, axis=1)


def loss_fn():
    logits = pool(frames) @ theta["class"]
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=genre, logits=logits))


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn()
    for name, g in tape.gradient(loss, theta).items():
        theta[name].assign_sub(0.2 * g)
    print(loss.numpy())
