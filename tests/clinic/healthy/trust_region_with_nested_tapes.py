"""TRPO's product of the Fisher matrix with a vector, and a few steps of conjugate gradients."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(121)
obs = tf.constant(rng.normal(size=(20, 3)).astype("float32"))
adv = tf.constant(rng.normal(size=20).astype("float32"))
acts = rng.integers(0, 2, 20)
w = tf.Variable(rng.normal(0, 0.4, (3, 2)).astype("float32"))


def kl():
    new = tf.nn.log_softmax(obs @ w)
    old = tf.stop_gradient(new)
    return tf.reduce_mean(tf.reduce_sum(tf.exp(old) * (old - new), axis=1))


def fisher(v):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            divergence = kl()
        g = inner.gradient(divergence, w)
        dot = tf.reduce_sum(g * v)
    return outer.gradient(dot, w) + 0.1 * v


def conjugate_gradients(b, steps=4):
    x, r, p = tf.zeros_like(b), b, b
    rr = tf.reduce_sum(r * r)
    for _ in range(steps):
        f = fisher(p)
        alpha = rr / (tf.reduce_sum(p * f) + 1e-8)
        x, r = x + alpha * p, r - alpha * f
        new = tf.reduce_sum(r * r)
        p, rr = r + new / (rr + 1e-8) * p, new
    return x


for _ in range(2):
    with tf.GradientTape() as tape:
        logp = tf.gather(tf.nn.log_softmax(obs @ w), acts, batch_dims=1)
        gain = tf.reduce_mean(tf.exp(logp - tf.stop_gradient(logp)) * adv)
    direction = conjugate_gradients(tape.gradient(gain, w))
    step = tf.sqrt(0.02 / (tf.reduce_sum(direction * fisher(direction)) + 1e-8))
    w.assign_add(step * direction)
    print(gain.numpy(), step.numpy())
