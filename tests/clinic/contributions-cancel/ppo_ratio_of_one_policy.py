"""PPO's ratio with the old log probability computed from the same weights, inside the tape."""

import tensorflow as tf

weights = {"w": tf.Variable(tf.random.normal((3, 4), seed=1)), "b": tf.Variable(tf.zeros(4))}
states = tf.random.normal((10, 3), seed=2)
actions = tf.constant([0, 1, 2, 3, 0, 1, 2, 3, 0, 1])
advantages = tf.random.normal((10,), seed=4)


def log_probs(states):
    logits = states @ weights["w"] + weights["b"]
    return tf.gather(tf.nn.log_softmax(logits), actions, batch_dims=1)


with tf.GradientTape() as tape:
    old = log_probs(states)
    new = log_probs(states)
    ratio = tf.exp(new - old)  # cause
    loss = -tf.reduce_mean(ratio * advantages)
print(tape.gradient(loss, weights))
