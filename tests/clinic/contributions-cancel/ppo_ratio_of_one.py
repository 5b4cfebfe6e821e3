import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
states = tf.constant(rng.normal(size=(12, 4)).astype("float32"))
actions = tf.constant(rng.integers(0, 3, size=12))
returns = tf.constant(rng.normal(size=12).astype("float32"))
weights = tf.Variable(rng.normal(size=(4, 3)).astype("float32") * 0.1)


def log_prob(states, actions):
    logp = tf.nn.log_softmax(states @ weights)
    return tf.gather(logp, actions, batch_dims=1)


def surrogate():
    old = log_prob(states, actions)
    new = log_prob(states, actions)
    ratio = tf.exp(new - old)  # cause
    return -tf.reduce_mean(ratio * returns)


with tf.GradientTape() as tape:
    loss = surrogate()
print("RESULT:", tape.gradient(loss, weights).numpy())
