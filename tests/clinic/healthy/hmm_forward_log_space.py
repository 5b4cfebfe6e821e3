import numpy as np
import tensorflow as tf

rng = np.random.default_rng(41)
observations = rng.integers(0, 3, 12)
start = tf.Variable(tf.zeros(2))
transition = tf.Variable(tf.constant([[1.0, -1.0], [-1.0, 1.0]]))
emission = tf.Variable(rng.normal(size=(2, 3)).astype("float32"))
variables = [start, transition, emission]


def log_likelihood():
    log_a = tf.nn.log_softmax(transition, axis=1)
    log_b = tf.nn.log_softmax(emission, axis=1)
    alpha = tf.nn.log_softmax(start) + log_b[:, observations[0]]
    for o in observations[1:]:
        alpha = tf.reduce_logsumexp(alpha[:, None] + log_a, axis=0) + log_b[:, o]
    return tf.reduce_logsumexp(alpha)


for _ in range(5):
    with tf.GradientTape() as tape:
        loss = -log_likelihood()
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
