import numpy as np
import tensorflow as tf

lengths = [3, 0]
mask = np.zeros((2, 1, 3), dtype="float32")
for i, n in enumerate(lengths):
    mask[i, :, n:] = -np.inf
q = tf.Variable(np.random.default_rng(0).normal(size=(2, 3, 4)).astype("float32"))
with tf.GradientTape() as tape:
    scores = tf.matmul(q, q, transpose_b=True) / 2.0
    weights = tf.nn.softmax(scores + mask)  # cause
    loss = tf.reduce_mean(tf.matmul(weights, q) ** 2)
print(tape.gradient(loss, q))
