import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
anchors = tf.Variable(rng.normal(size=(6, 2)).astype("float32"))
labels = tf.constant([0, 0, 1, 1, 2, 2])
same = labels[:, None] == labels[None, :]
for _ in range(4):
    with tf.GradientTape() as tape:
        d2 = tf.reduce_sum((anchors[:, None] - anchors[None]) ** 2, -1)
        nearest_other = tf.reduce_min(tf.where(same, np.inf, d2), axis=1)
        farthest_same = tf.reduce_max(tf.where(same, d2, -np.inf), axis=1)
        loss = tf.reduce_mean(tf.nn.softplus(farthest_same - nearest_other))
    anchors.assign_sub(0.1 * tape.gradient(loss, anchors))
print("RESULT:", loss.numpy())
