import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
states = rng.normal(size=(16, 3)).astype("float32")
actions = rng.integers(0, 2, size=16)
rewards = rng.normal(size=16).astype("float32")
w = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
v = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))


def log_prob(states):
    return tf.reduce_sum(tf.nn.log_softmax(states @ w) * tf.one_hot(actions, 2), axis=1)


old = log_prob(states)
baseline = tf.squeeze(states @ v, -1)
advantage = rewards - baseline
for epoch in range(4):
    with tf.GradientTape() as tape:
        ratio = tf.exp(log_prob(states) - old)
        clipped = tf.clip_by_value(ratio, 0.8, 1.2)
        policy = -tf.reduce_mean(tf.minimum(ratio * advantage, clipped * advantage))
        value = tf.reduce_mean((tf.squeeze(states @ v, -1) - rewards) ** 2)
        loss = policy + 0.5 * value
    for variable, g in zip([w, v], tape.gradient(loss, [w, v])):
        variable.assign_sub(0.1 * g)
print(loss.numpy())
