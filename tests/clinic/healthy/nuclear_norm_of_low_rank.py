import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
truth = (rng.normal(size=(6, 2)) @ rng.normal(size=(2, 5))).astype("float32")
seen = rng.random((6, 5)) < 0.7
m = tf.Variable(np.where(seen, truth, 0.0).astype("float32"))
for _ in range(10):
    with tf.GradientTape() as tape:
        fit = tf.reduce_sum(tf.where(seen, m - truth, 0.0) ** 2)
        loss = fit + 0.1 * tf.reduce_sum(tf.linalg.svd(m, compute_uv=False))
    m.assign_sub(0.05 * tape.gradient(loss, m))
print("RESULT:", loss.numpy())
