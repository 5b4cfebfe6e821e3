import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
moves = tf.Variable(rng.normal(size=(3, 3)).astype("float32"))
signs = tf.Variable(rng.normal(size=(3, 20)).astype("float32"))
observed = rng.integers(0, 20, size=80)


def likelihood():
    transitions, emissions = tf.nn.softmax(moves, axis=1), tf.nn.softmax(signs, axis=1)
    state = tf.ones([3]) / 3.0
    for each in observed:
        state = tf.linalg.matvec(transitions, state, transpose_a=True) * emissions[:, each]
    return tf.reduce_sum(state)


with tf.GradientTape() as tape:
    loss = -tf.math.log(likelihood())  # cause
print("RESULT:", tape.gradient(loss, moves))
