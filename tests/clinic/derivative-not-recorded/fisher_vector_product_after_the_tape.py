"""TRPO: the gradient of the divergence is differentiated again, but it was taken after the tape's block."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(102)
obs = tf.constant(rng.normal(size=(12, 3)).astype("float32"))
theta = [tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for s in [(3, 6), (6, 2)]]


def logits(obs):
    return tf.tanh(obs @ theta[0]) @ theta[1]


def kl_to_itself():
    new = logits(obs)
    old = tf.stop_gradient(new) + 0.01
    p = tf.nn.softmax(old)
    return tf.reduce_mean(tf.reduce_sum(p * (tf.nn.log_softmax(old) - tf.nn.log_softmax(new)), axis=1))


def fisher_vector(v):
    with tf.GradientTape(persistent=True) as tape:
        kl = kl_to_itself()
    grads = tape.gradient(kl, theta)  # cause
    dot = tf.add_n([tf.reduce_sum(g * each) for g, each in zip(grads, v)])
    return tape.gradient(dot, theta)


v = [tf.ones_like(each) for each in theta]
product = fisher_vector(v)
print([None if each is None else each.shape for each in product])
