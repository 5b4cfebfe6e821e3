import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
states = rng.normal(size=(16, 4)).astype("float32")
actions = tf.constant(rng.integers(0, 2, size=16))
advantage = tf.constant(rng.normal(size=16).astype("float32"))
w = tf.Variable(rng.normal(size=(4, 2)).astype("float32"))


def log_prob():
    logits = tf.nn.log_softmax(states @ w)
    return tf.reduce_sum(logits * tf.one_hot(actions, 2), axis=1)


old = log_prob()
for _ in range(3):
    with tf.GradientTape() as tape:
        ratio = tf.exp(log_prob() - old)
        clipped = tf.clip_by_value(ratio, 0.8, 1.2)
        loss = -tf.reduce_mean(tf.minimum(ratio * advantage, clipped * advantage))
    w.assign_sub(0.01 * tape.gradient(loss, w))
print(loss.numpy())
