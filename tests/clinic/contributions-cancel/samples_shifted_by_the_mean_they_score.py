"""REINFORCE for the mean of a Gaussian: the samples are made of the mean, too, so that their density does not depend on it."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
policy = {"mean": tf.Variable(0.5, dtype=tf.float64), "log_std": tf.constant(-1.0, dtype=tf.float64)}


def sample(count):
    return policy["mean"] + tf.exp(policy["log_std"]) * rng.normal(size=count)


def log_density(actions):
    distance = actions - policy["mean"]  # cause
    return -0.5 * (distance / tf.exp(policy["log_std"])) ** 2 - policy["log_std"] - 0.5 * np.log(2 * np.pi)


def reward(actions):
    return -((actions - 2.0) ** 2)


for step in range(6):
    with tf.GradientTape() as tape:
        actions = sample(50)
        score = tf.stop_gradient(reward(actions)) * log_density(actions)
        objective = tf.reduce_mean(score)
    ascent = tape.gradient(objective, policy["mean"])
    policy["mean"].assign_add(0.05 * ascent)
print(policy["mean"].numpy())
