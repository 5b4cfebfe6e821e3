import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
trunk = tf.Variable(rng.normal(0, 0.3, (4, 5)).astype("float32"))
head_a = tf.Variable(rng.normal(0, 0.3, (5, 1)).astype("float32"))
head_b = tf.Variable(rng.normal(0, 0.3, (5, 1)).astype("float32"))
variables = [trunk, head_a, head_b]
for step in range(4):
    x = rng.normal(size=(6, 4)).astype("float32")
    ya, yb = rng.normal(size=(2, 6, 1)).astype("float32")
    has_b = np.full((6, 1), step > 0, dtype="float32")
    with tf.GradientTape() as tape:
        h = tf.nn.relu(x @ trunk)
        loss_a = tf.reduce_mean((h @ head_a - ya) ** 2)
        loss_b = tf.reduce_sum(has_b * (h @ head_b - yb) ** 2) / tf.maximum(tf.reduce_sum(has_b), 1.0)
        loss = loss_a + loss_b
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
