"""TRADES: an inner loop perturbs the inputs in the direction of a KL divergence that starts at 0."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(31)
x = tf.constant(rng.normal(size=(8, 5)).astype("float32"))
y = tf.constant(rng.integers(0, 3, 8))
w1 = tf.Variable(rng.normal(0, 0.5, (5, 10)).astype("float32"))
w2 = tf.Variable(rng.normal(0, 0.5, (10, 3)).astype("float32"))


def logits(x):
    return tf.nn.relu(x @ w1) @ w2


def kl(a, b):
    p = tf.nn.softmax(a)
    return tf.reduce_mean(tf.reduce_sum(p * (tf.nn.log_softmax(a) - tf.nn.log_softmax(b)), axis=1))


def perturb(x, radius=0.2, steps=3):
    natural = tf.stop_gradient(logits(x))
    moved = x + 0.001 * tf.random.normal(x.shape)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            tape.watch(moved)
            divergence = kl(natural, logits(moved))
        moved = moved + 0.1 * tf.sign(tape.gradient(divergence, moved))
        moved = tf.clip_by_value(moved, x - radius, x + radius)
    return moved


for _ in range(3):
    adversarial = perturb(x)
    with tf.GradientTape() as tape:
        clean = logits(x)
        ce = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=clean))
        loss = ce + 3.0 * kl(clean, logits(adversarial))
    for v, g in zip((w1, w2), tape.gradient(loss, (w1, w2))):
        v.assign_sub(0.1 * g)
    print(loss.numpy())
