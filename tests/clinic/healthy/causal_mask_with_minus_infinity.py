import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
x = tf.constant(rng.normal(size=(5, 4)).astype("float32"))
wq = tf.Variable(rng.normal(size=(4, 4)).astype("float32"))
causal = tf.linalg.band_part(tf.ones([5, 5]), -1, 0)
for step in range(3):
    with tf.GradientTape() as tape:
        scores = tf.matmul(x @ wq, x, transpose_b=True)
        scores = tf.where(causal > 0, scores, -np.inf)
        out = tf.nn.softmax(scores) @ x
        loss = tf.reduce_mean(out ** 2)
    wq.assign_sub(0.1 * tape.gradient(loss, wq))
print(wq.numpy())
