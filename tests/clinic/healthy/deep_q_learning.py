import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
w, target_w = (tf.Variable(rng.normal(size=(4, 2)).astype("float32")) for _ in range(2))
s, s2 = (rng.normal(size=(10, 4)).astype("float32") for _ in range(2))
a, r = rng.integers(0, 2, size=10), rng.normal(size=10).astype("float32")
for step in range(4):
    next_q = tf.reduce_max(s2 @ w, axis=1)
    goal = r + 0.9 * next_q
    with tf.GradientTape() as tape:
        q = tf.reduce_sum((s @ w) * tf.one_hot(a, 2), axis=1)
        loss = tf.reduce_mean(tf.square(goal - q))
    w.assign_sub(0.05 * tape.gradient(loss, w))
    if step % 2 == 0:
        target_w.assign(w)
print(loss.numpy())
