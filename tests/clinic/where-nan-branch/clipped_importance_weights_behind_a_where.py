"""Masked steps have probability 0; their ratio is replaced by 1, but its gradient is not."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
obs = tf.constant(rng.normal(size=(4, 5, 3)).astype("float32"))
behaviour = rng.uniform(0.2, 0.6, size=(4, 5)).astype("float32")
valid = np.ones((4, 5), "float32")
valid[1, 3:] = 0
valid[3, 2:] = 0
behaviour = tf.constant(behaviour * valid)
advantage = tf.constant(rng.normal(size=(4, 5)).astype("float32"))
w = tf.Variable(rng.normal(0, 0.4, (3, 1)).astype("float32"))
temperature = tf.Variable(1.0)


def probability(obs):
    return tf.squeeze(tf.sigmoid(obs @ w / temperature), -1)


def surrogate(obs):
    ratio = probability(obs) / behaviour  # cause
    ratio = tf.where(valid > 0, ratio, tf.ones_like(ratio))
    return -tf.reduce_mean(tf.minimum(ratio * advantage, tf.clip_by_value(ratio, 0.8, 1.2) * advantage) * valid)


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = surrogate(obs)
    dw, dt = tape.gradient(loss, [w, temperature])
    w.assign_sub(0.1 * dw)
    temperature.assign_sub(0.1 * dt)
    print(loss.numpy(), temperature.numpy())
