import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
w = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))


def q(states):
    return states @ w


for step in range(4):
    s, s2 = (rng.normal(size=(8, 4)).astype("float32") for _ in range(2))
    r = rng.normal(size=8).astype("float32")
    a = rng.integers(0, 3, 8)
    with tf.GradientTape() as tape:
        target = r + 0.9 * np.max(q(s2).numpy(), axis=1)
        chosen = tf.reduce_sum(q(s) * tf.one_hot(a, 3), axis=1)
        loss = tf.reduce_mean((target - chosen) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())
