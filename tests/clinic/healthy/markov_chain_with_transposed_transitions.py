"""The forward pass of a hidden Markov model: rows of the transitions add up to 1, and the product is with their transpose."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
moves = tf.Variable(rng.normal(size=(3, 3)).astype("float32"))
signs = tf.Variable(rng.normal(size=(3, 5)).astype("float32"))
observed = rng.integers(0, 5, size=8)

for _ in range(3):
    with tf.GradientTape() as tape:
        transitions, emissions = tf.nn.softmax(moves, axis=1), tf.nn.softmax(signs, axis=1)
        state = tf.ones([3]) / 3.0
        for each in observed:
            state = tf.linalg.matvec(transitions, state, transpose_a=True) * emissions[:, each]
        loss = -tf.math.log(tf.reduce_sum(state))
    for variable, gradient in zip((moves, signs), tape.gradient(loss, (moves, signs))):
        variable.assign_sub(0.1 * gradient)
print("RESULT:", loss.numpy())
