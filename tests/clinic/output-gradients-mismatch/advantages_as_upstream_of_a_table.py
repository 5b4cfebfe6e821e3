"""A policy gradient by output_gradients: the advantages are flat, the log probabilities a table."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(115)
obs = tf.constant(rng.normal(size=(7, 3)).astype("float32"))
advantages = tf.constant(rng.normal(size=7).astype("float32"))
w = tf.Variable(rng.normal(0, 0.4, (3, 2)).astype("float32"))


def log_policy(obs):
    return tf.nn.log_softmax(obs @ w)


def policy_gradient(obs, advantages):
    with tf.GradientTape() as tape:
        logs = log_policy(obs)
    return tape.gradient(logs, w, output_gradients=-advantages)  # cause


w.assign_sub(0.1 * policy_gradient(obs, advantages))
print(w.numpy())
