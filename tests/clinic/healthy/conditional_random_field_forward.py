"""A CRF: the forward algorithm in log space, transitions into the start are a large negative number."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(91)
TAGS, START = 4, 3
words = tf.constant(rng.normal(size=(7, 5)).astype("float32"))
tags = [0, 1, 1, 2, 0, 2, 1]
emit = tf.Variable(rng.normal(0, 0.4, (5, TAGS)).astype("float32"))
move = tf.Variable(rng.normal(0, 0.4, (TAGS, TAGS)).astype("float32"))
forbidden = np.zeros((TAGS, TAGS), "float32")
forbidden[:, START] = -1e4


def log_partition(scores, transitions):
    alpha = tf.constant([-1e4] * START + [0.0])
    for t in range(len(tags)):
        alpha = tf.reduce_logsumexp(alpha[:, None] + transitions, axis=0) + scores[t]
    return tf.reduce_logsumexp(alpha)


def path_score(scores, transitions):
    total, before = 0.0, START
    for t, tag in enumerate(tags):
        total += transitions[before, tag] + scores[t, tag]
        before = tag
    return total


for _ in range(3):
    with tf.GradientTape() as tape:
        scores, transitions = words @ emit, move + forbidden
        loss = log_partition(scores, transitions) - path_score(scores, transitions)
    de, dm = tape.gradient(loss, [emit, move])
    emit.assign_sub(0.1 * de)
    move.assign_sub(0.1 * tf.convert_to_tensor(dm))
    print(loss.numpy())
