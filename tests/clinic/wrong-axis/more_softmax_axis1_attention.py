import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
q = tf.Variable(rng.normal(size=(2, 4, 8)).astype("float32"))
k = tf.constant(rng.normal(size=(2, 6, 8)).astype("float32"))
v = tf.constant(rng.normal(size=(2, 6, 8)).astype("float32"))
with tf.GradientTape() as tape:
    scores = tf.matmul(q, k, transpose_b=True) / 8.0 ** 0.5
    weights = tf.nn.softmax(scores, axis=1)  # cause
    out = tf.matmul(weights, v)
    loss = tf.reduce_mean(out ** 2)
print(tape.gradient(loss, q))
