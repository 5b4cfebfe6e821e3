import numpy as np
import tensorflow as tf

rng = np.random.default_rng(16)
x = rng.normal(size=(9, 4)).astype("float32")
grade = rng.integers(0, 3, 9).astype("float32")
w = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
better = tf.cast(grade[:, None] > grade[None, :], tf.float32)
for _ in range(5):
    with tf.GradientTape() as tape:
        s = x @ w
        margin = s - tf.squeeze(s, 1)
        loss = tf.reduce_sum(better * tf.nn.softplus(-margin)) / tf.reduce_sum(better)
    w.assign_sub(0.2 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())
