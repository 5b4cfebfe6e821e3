import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
obs = rng.integers(0, 3, 8)
pi = tf.Variable(tf.zeros(3))
a = tf.Variable(rng.normal(size=(3, 3)).astype("float32"))
b = tf.Variable(rng.normal(size=(3, 3)).astype("float32"))
for _ in range(5):
    with tf.GradientTape() as tape:
        start, transition, emission = tf.nn.softmax(pi), tf.nn.softmax(a, axis=1), tf.nn.softmax(b, axis=1)
        alpha = (start * emission[:, obs[0]])[None, :]
        for o in obs[1:]:
            alpha = (alpha @ transition) * emission[:, o][None, :]
        loss = -tf.math.log(tf.reduce_sum(alpha))
    for v, g in zip([pi, a, b], tape.gradient(loss, [pi, a, b])):
        v.assign_sub(0.2 * g)
print("RESULT:", loss.numpy())
