import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
actor = tf.Variable(rng.normal(0, 0.3, (4, 2)).astype("float32"))
critic = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
s = rng.normal(size=(9, 4)).astype("float32")
actions = rng.integers(0, 2, 9)
returns = rng.normal(size=9).astype("float32")


def advantage(states):
    return returns - states @ critic  # cause


def actor_loss(states):
    logp = tf.nn.log_softmax(states @ actor)
    chosen = tf.reduce_sum(logp * tf.one_hot(actions, 2), axis=1)
    return -tf.reduce_mean(chosen * tf.stop_gradient(advantage(states)))


with tf.GradientTape() as tape:
    loss = actor_loss(s)
print("RESULT:", tape.gradient(loss, actor).numpy())
